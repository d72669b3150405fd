import { once } from 'node:events';
import { createServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { BUILDS, useEndpoint } from '../support/adapters/endpoint-under-test.ts';
import { aWebhookRequest } from '../support/delivery/webhook-requests.ts';

/** What a firewall does with a message above one packet. */
type Meet = (client: Socket) => void;

const reset: Meet = (client) => client.resetAndDestroy();
const close: Meet = (client) => client.end();
const drop: Meet = () => {};

const PACKET_BYTES = 1_400;
const HYBRID: TlsOptions = { ecdhCurve: 'X25519MLKEM768' };
const PREFERS_HYBRID: TlsOptions = { ecdhCurve: 'X25519MLKEM768 / X25519' };
const CLASSICAL: TlsOptions = { ecdhCurve: 'X25519' };

describe.each(BUILDS)('an endpoint and the key exchange of TLS (%s)', (build) => {
  const under = useEndpoint(build);
  const opened: (() => void)[] = [];
  afterEach(() => {
    for (const end of opened.splice(0)) end();
  });

  /** A TLS server behind a firewall, and what has reached either. */
  const serverBehind = async (meet: Meet | undefined, tls: TlsOptions) => {
    const seen = { posts: 0, connections: 0, greetings: [] as number[] };
    const answering = createServer(
      { ...(await under.authority.issue()), ...tls },
      (_post, response) => {
        seen.posts += 1;
        response.end();
      },
    ).on('tlsClientError', () => {});
    await listenOnLoopback(answering);
    const firewall = createTcpServer((client) => {
      seen.connections += 1;
      client.once('data', (greeting) => seen.greetings.push(greeting.length));
      const server = connect((answering.address() as AddressInfo).port, '127.0.0.1');
      opened.push(
        () => client.destroy(),
        () => server.destroy(),
      );
      client.on('error', () => server.destroy()).on('end', () => server.end());
      server.on('error', () => client.destroy());
      client.on('data', (bytes) => {
        if (meet !== undefined && bytes.length > PACKET_BYTES) meet(client);
        else server.write(bytes);
      });
      server.pipe(client);
    });
    const port = await listenOnLoopback(firewall);
    return { seen, url: `https://127.0.0.1:${port}/` };
  };
  const listenOnLoopback = async (server: ReturnType<typeof createTcpServer>) => {
    opened.push(() => server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return (server.address() as AddressInfo).port;
  };
  const CONFIRMED = expect.objectContaining({ statusCode: 200 });

  it.each([
    ['resets', reset],
    ['closes', close],
    ['drops', drop],
  ])('gets the event past a firewall that %s what is above one packet', async (_how, meet) => {
    const { seen, url } = await serverBehind(meet, CLASSICAL);
    expect(await under.endpoint().post(aWebhookRequest({ url }))).toEqual(CONFIRMED);
    expect(seen).toEqual({ posts: 1, connections: 1, greetings: [expect.any(Number)] });
    expect(Math.max(...seen.greetings)).toBeLessThan(512);
  });

  it.each([
    ['resets', reset],
    ['closes', close],
  ])('gets it once when a firewall %s the longer greeting it asks for', async (_how, meet) => {
    const { seen, url } = await serverBehind(meet, PREFERS_HYBRID);
    expect(await under.endpoint().post(aWebhookRequest({ url }))).toEqual(CONFIRMED);
    expect(seen).toMatchObject({ posts: 1, connections: 2 });
  });

  it.each([
    ['the hybrid group alone', HYBRID],
    ['the hybrid group first', PREFERS_HYBRID],
    ['P-256 alone', { ecdhCurve: 'P-256' }],
    ['a group of Diffie and Hellman', { ecdhCurve: 'ffdhe2048' }],
  ])('gets the event over one connection when it takes %s', async (_groups, tls) => {
    const { seen, url } = await serverBehind(undefined, tls);
    expect(await under.endpoint().post(aWebhookRequest({ url }))).toEqual(CONFIRMED);
    expect(seen).toMatchObject({ posts: 1, connections: 1 });
  });

  it.each([
    ['resets', reset],
    ['closes', close],
  ])('has one outcome after two connections when it %s every handshake', async (_how, meet) => {
    let connections = 0;
    const refusing = createTcpServer((client) => {
      connections += 1;
      client.on('error', () => {}).once('data', () => meet(client));
    });
    const url = `https://127.0.0.1:${await listenOnLoopback(refusing)}/`;
    expect(await under.endpoint().post(aWebhookRequest({ url }))).toEqual({
      kind: 'unanswered',
      reason: 'connection-failed',
      code: 'ECONNRESET',
    });
    expect(connections).toBe(2);
  });

  it('is attempted over one connection when its certificate is not trusted', async () => {
    const { seen, url } = await serverBehind(undefined, await under.authority.selfSigned());
    expect(await under.endpoint().post(aWebhookRequest({ url }))).toMatchObject({
      reason: 'certificate-untrusted',
    });
    expect(seen).toMatchObject({ posts: 0, connections: 1 });
  });
});
