import { constants } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:https';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { TLSSocket, TlsOptions } from 'node:tls';
import { describe, expect, it, vi } from 'vitest';
import type { PostResult } from '../../core/delivery/attempt.ts';
import { BUILDS, PATIENT, useEndpoint } from '../support/adapters/endpoint-under-test.ts';
import { aWebhookRequest } from '../support/delivery/webhook-requests.ts';
import { ALERT } from '../support/receiver/endpoint-faults.ts';
import { answer, bytes } from '../support/receiver/receiver-behaviours.ts';

const listen = async (server: Server) => {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket.on('error', () => {})));
  server.on('tlsClientError', () => {}).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/`, close };
};

describe.each(BUILDS)('an endpoint that does not resume TLS sessions (%s)', (build) => {
  const under = useEndpoint(build);
  const BRIEF = { connectTimeoutMs: 300, responseTimeoutMs: 5_000 };

  /** The results of three events, each an hour after the one before: over a new connection. */
  const resultsOf = async (server: Server, limits = PATIENT): Promise<PostResult[]> => {
    const listening = await listen(server);
    let nowMs = 0;
    const endpoint = under.endpoint(limits, { allowLoopback: true }, { now: () => nowMs });
    const results: PostResult[] = [];
    for (; results.length < 3; nowMs += 3_600_000) {
      results.push(await endpoint.post(aWebhookRequest({ url: listening.url })));
      // A connection that was given up has its end one turn of the event loop later.
      await setImmediate();
    }
    listening.close();
    return results;
  };
  const serverOf = async (tls?: TlsOptions) =>
    createServer({ ...(await under.authority.issue()), ...tls }, (_request, response) => {
      response.end();
    });
  /** Without tickets the server looks sessions up. */
  const serverThatMeetsItsSessions = async (meet: (answer: (error: Error) => void) => void) => {
    const secureOptions = constants.SSL_OP_NO_TICKET;
    const server = await serverOf({ maxVersion: 'TLSv1.2', secureOptions });
    const own = new Set<string>();
    server.on('newSession', (id: Buffer, _session: Buffer, stored: () => void) => {
      own.add(id.toString('hex'));
      stored();
    });
    return server.on('resumeSession', (id: Buffer, answer: (error: Error | null) => void) => {
      if (own.has(id.toString('hex'))) meet(answer);
      else answer(null);
    });
  };
  const confirmed = expect.objectContaining({ statusCode: 200 });

  it('gets the request over a full handshake when it ends the handshake', async () => {
    const refuse = vi.fn((answer: (error: Error) => void) => answer(new Error('refused')));
    const server = await serverThatMeetsItsSessions(refuse);
    expect(await resultsOf(server)).toEqual([confirmed, confirmed, confirmed]);
    expect(refuse).toHaveBeenCalledOnce();
  });

  it('gets the request over a full handshake when it answers with an alert', async () => {
    const server = await serverOf();
    let connections = 0;
    const alerting = createTcpServer((socket) => {
      connections += 1;
      if (connections === 2) socket.once('data', () => socket.end(ALERT));
      else server.emit('connection', socket);
    });
    expect(await resultsOf(alerting)).toEqual([confirmed, confirmed, confirmed]);
  });

  it.each(['destroy', 'end'] as const)(
    'gets the request over a full handshake when it ends the connection by %s',
    async (close) => {
      const server = await serverOf();
      const resumed = vi.fn((socket: TLSSocket) => socket[close]());
      server.on('secureConnection', (socket) => {
        if (socket.isSessionReused()) resumed(socket);
      });
      expect(await resultsOf(server)).toEqual([confirmed, confirmed, confirmed]);
      expect(resumed).toHaveBeenCalled();
    },
  );

  it('gets the request once over a resumed session with a broken answer', async () => {
    under.receiver.behave('/', answer(200), bytes('{}'));
    let nowMs = 0;
    const endpoint = under.endpoint(PATIENT, { allowLoopback: true }, { now: () => nowMs });
    const post = () => endpoint.post(aWebhookRequest({ url: under.receiver.url() }));
    await post();
    nowMs += 3_600_000;
    expect(await post()).toMatchObject({ reason: 'not-http' });
    expect(under.receiver.requests.all.map(({ isResumed }) => isResumed)).toEqual([false, true]);
  });

  it('gets the next event over a full handshake when it hangs', async () => {
    const server = await serverThatMeetsItsSessions(() => {});
    const timeout = { kind: 'unanswered', reason: 'connect-timeout' };
    expect(await resultsOf(server, BRIEF)).toEqual([confirmed, timeout, confirmed]);
  });
});
