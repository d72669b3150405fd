import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { HttpsWebhookEndpoint } from '../../adapters/http/https-webhook-endpoint.ts';
import type { PostResult } from '../../core/delivery/attempt.ts';
import { BUILDS, PATIENT, useEndpoint } from '../support/adapters/endpoint-under-test.ts';
import { aWebhookRequest } from '../support/delivery/webhook-requests.ts';
import * as behaviours from '../support/receiver/receiver-behaviours.ts';
import { answer, type Behaviour, hang } from '../support/receiver/receiver-behaviours.ts';

const CONTRACT_HEADERS = {
  'Content-Type': 'application/json',
  'User-Agent': 'Service-Webhooks/1.2.3',
  'X-Service-Signature': 'd1717f30bde417aae8fce8b37c59d9adc8f25d231fcdf62af2e95eea4a73bbe4',
  'webhook-id': '/integrations/0123456789ab/deliveries/evt_1',
  'webhook-timestamp': '1795176000',
  'webhook-signature': 'v1,ll5JqsbjMEwj69c4xramgjETCB9ebypEHrdCY4H+suo=',
};

describe.each(BUILDS)('the request an endpoint gets (%s)', (build) => {
  const under = useEndpoint(build);
  afterEach(() => void vi.restoreAllMocks());

  it('is a POST to the path and query of the URL', async () => {
    await under.endpoint().post(aWebhookRequest({ url: under.receiver.url('/hooks/1?a=b%20c') }));
    expect(under.receiver.requests.all).toMatchObject([
      { method: 'POST', path: '/hooks/1?a=b%20c', httpVersion: 'HTTP/1.1' },
    ]);
  });

  it('has the headers of the contract and those HTTP needs, and no other', async () => {
    const request = aWebhookRequest({
      url: under.receiver.url(),
      headers: CONTRACT_HEADERS,
      body: '{}',
    });
    await under.endpoint().post(request);
    const { rawHeaders } = await under.receiver.requests.nth(1);
    expect(Object.fromEntries(rawHeaders)).toEqual({
      ...CONTRACT_HEADERS,
      Host: `127.0.0.1:${under.receiver.port}`,
      Connection: 'keep-alive',
      'Content-Length': '2',
    });
    expect(rawHeaders).toHaveLength(Object.keys(CONTRACT_HEADERS).length + 3);
  });

  it('carries the body byte for byte', async () => {
    const body = '{"data":{"text":"Grüße 👋 \\ufffe\u2028","n":12345678901234567890}}';
    await under.endpoint().post(aWebhookRequest({ url: under.receiver.url(), body }));
    const received = await under.receiver.requests.nth(1);
    expect(received.body).toEqual(Buffer.from(body, 'utf8'));
  });

  it('carries a body of 1 MB', async () => {
    const body = JSON.stringify({ data: 'é'.repeat(500_000) });
    const post = under.endpoint().post(aWebhookRequest({ url: under.receiver.url(), body }));
    expect(await post).toMatchObject({ statusCode: 200 });
    expect((await under.receiver.requests.nth(1)).body.equals(Buffer.from(body))).toBe(true);
  });

  it('comes on the connection of the one before', async () => {
    const endpoint = under.endpoint();
    under.receiver.behave('/', answer(200, { body: 'thanks' }));
    await endpoint.post(aWebhookRequest({ url: under.receiver.url() }));
    // A connection can be used again one turn of the event loop after the end of a response.
    await setImmediate();
    await endpoint.post(aWebhookRequest({ url: under.receiver.url() }));
    expect(under.receiver.requests.all.map(({ connection }) => connection)).toEqual([1, 1]);
    expect(under.receiver.connections).toBe(1);
  });

  it.each([
    ['a new connection after a pause in which timers may have stood still', 4_001, [1, 2]],
    ['the same connection after a shorter one', 4_000, [1, 1]],
  ])('comes on %s', async (_which, pauseMs, connections) => {
    let nowMs = 0;
    const endpoint = under.endpoint(PATIENT, { allowLoopback: true }, () => nowMs);
    await endpoint.post(aWebhookRequest({ url: under.receiver.url() }));
    await setImmediate();
    nowMs += pauseMs;
    await endpoint.post(aWebhookRequest({ url: under.receiver.url() }));
    expect(under.receiver.requests.all.map(({ connection }) => connection)).toEqual(connections);
  });

  it('goes on with the TLS session after a pause, on a new connection', async () => {
    let nowMs = 0;
    const endpoint = under.endpoint(PATIENT, { allowLoopback: true }, () => nowMs);
    await endpoint.post(aWebhookRequest({ url: under.receiver.url() }));
    nowMs += 3_600_000;
    await endpoint.post(aWebhookRequest({ url: under.receiver.url() }));
    expect(
      under.receiver.requests.all.map(({ connection, isResumed }) => ({ connection, isResumed })),
    ).toEqual([
      { connection: 1, isResumed: false },
      { connection: 2, isResumed: true },
    ]);
  });

  it('gives one address of its host half of the time to connect', async () => {
    // No address of loopback takes long to connect to, so the test looks at what Node is told.
    const connect = vi.spyOn(Socket.prototype, 'connect');
    await under.endpoint().post(aWebhookRequest({ url: under.receiver.url('/', 'localhost') }));
    expect(connect.mock.calls.map(([options]) => options)).toMatchObject([
      { autoSelectFamilyAttemptTimeout: PATIENT.connectTimeoutMs / 2 },
    ]);
  });

  it('is a fault of ours when it cannot be put on the wire', async () => {
    const headers = { 'Content-Type': 'application/json\r\nInjected: yes' };
    const url = under.receiver.url();
    await expect(under.endpoint().post(aWebhookRequest({ url, headers }))).rejects.toThrow();
    expect(under.receiver.requests.all).toEqual([]);
  });

  it('does not wait for one that hangs before it', async () => {
    const endpoint = under.endpoint();
    under.receiver.behave('/slow', hang);
    const slow = endpoint.post(aWebhookRequest({ url: under.receiver.url('/slow') }));
    await under.receiver.requests.nth(1);
    expect(
      await endpoint.post(aWebhookRequest({ url: under.receiver.url('/quick') })),
    ).toMatchObject({ statusCode: 200 });
    endpoint.close();
    await slow;
  });
});

const RESET = { kind: 'unanswered', reason: 'connection-failed', code: 'ECONNRESET' };

describe.each(BUILDS)('an endpoint that closes idle connections (%s)', (build) => {
  const under = useEndpoint(build);
  afterEach(() => void vi.useRealTimers());

  /** An endpoint with as many idle connections, of which the next request reuses one. */
  const endpointWithIdle = async (connections: number, ...next: Behaviour[]) => {
    const { receiver } = under;
    receiver.behave('/', ...Array.from({ length: connections }, () => answer(200)), ...next);
    const endpoint = under.endpoint();
    await Promise.all(Array.from({ length: connections }, () => postTo(endpoint)));
    // A connection can be used again one turn of the event loop after the end of a response.
    await setImmediate();
    return endpoint;
  };
  const postTo = (endpoint: HttpsWebhookEndpoint) =>
    endpoint.post(aWebhookRequest({ url: under.receiver.url(), body: '{"data":{}}' }));
  const connectionsAfter = (requests: number) =>
    under.receiver.requests.all.slice(requests).map(({ connection }) => connection);

  it.each([1, 10])('gets 200 events without a failed attempt, %i at once', async (atOnce) => {
    under.receiver.behave('/', behaviours.answerThenClose);
    const endpoint = under.endpoint();
    const failed: PostResult[] = [];
    const inTurn = async () => {
      for (let posts = 0; posts < 200 / atOnce; posts += 1) {
        const result = await postTo(endpoint);
        if (result.kind !== 'answered') failed.push(result);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, inTurn));
    expect(failed).toEqual([]);
  });

  it.each([
    ['resets', behaviours.reset],
    ['closes', behaviours.closeWithoutAnswer],
  ])('gets the same request over a new connection when it %s one', async (_how, close) => {
    const endpoint = await endpointWithIdle(3, close, answer(202));
    expect(await postTo(endpoint)).toMatchObject({ statusCode: 202 });
    expect(connectionsAfter(3)).toEqual([expect.toBeOneOf([1, 2, 3]), 4]);
    const [closed, repeated] = under.receiver.requests.all.slice(3);
    expect(repeated?.body).toEqual(closed?.body);
    expect({ ...repeated?.headers, connection: 'keep-alive' }).toEqual(closed?.headers);
  });

  it('gets the request no third time, whatever other connections are idle', async () => {
    const endpoint = await endpointWithIdle(3, behaviours.reset);
    expect(await postTo(endpoint)).toEqual(RESET);
    expect(connectionsAfter(3)).toEqual([expect.toBeOneOf([1, 2, 3]), 4]);
  });

  it('gets the request once when it resets a new connection', async () => {
    expect(await under.postTo(behaviours.reset)).toEqual(RESET);
    expect(connectionsAfter(0)).toEqual([1]);
  });

  it.each([
    ['resets', behaviours.resetWithinHead],
    ['closes', behaviours.raw('HTTP/1.1 200 OK\r\nContent-Type: te')],
  ])('gets the request once when it %s a connection within its answer', async (_how, close) => {
    const endpoint = await endpointWithIdle(1, close);
    expect(await postTo(endpoint)).toMatchObject({ kind: 'unanswered' });
    expect(connectionsAfter(1)).toEqual([1]);
  });

  it('has as much time for both requests as for one', async () => {
    const closing = Promise.withResolvers<void>();
    const resetLate: Behaviour = (connection) => closing.promise.then(() => connection.reset());
    const endpoint = await endpointWithIdle(1, resetLate, behaviours.hang);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const ended = vi.fn<(result: PostResult) => void>();
    const post = postTo(endpoint).then(ended);

    await under.receiver.requests.nth(2);
    vi.advanceTimersByTime(3_000);
    closing.resolve();
    await under.receiver.requests.nth(3);
    vi.advanceTimersByTime(1_999);
    await setImmediate();
    expect(ended).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    await post;

    expect(ended).toHaveBeenCalledWith({ kind: 'unanswered', reason: 'response-timeout' });
  });
});
