import { Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { BUILDS, PATIENT, useEndpoint } from '../support/adapters/endpoint-under-test.ts';
import { aWebhookRequest } from '../support/delivery/webhook-requests.ts';
import { answer, hang } from '../support/receiver/receiver-behaviours.ts';

const CONTRACT_HEADERS = {
  'Content-Type': 'application/json',
  Accept: '*/*',
  'Accept-Encoding': 'identity',
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
    await endpoint.post(aWebhookRequest({ url: under.receiver.url() }));
    expect(under.receiver.requests.all.map(({ connection }) => connection)).toEqual([1, 1]);
    expect(under.receiver.connections).toBe(1);
  });

  it.each([
    ['a new connection after a pause in which timers may have stood still', 4_001, [1, 2]],
    ['the same connection after a shorter one', 4_000, [1, 1]],
  ])('comes on %s', async (_which, pauseMs, connections) => {
    let nowMs = 0;
    const endpoint = under.endpoint(PATIENT, { allowLoopback: true }, { now: () => nowMs });
    await endpoint.post(aWebhookRequest({ url: under.receiver.url() }));
    nowMs += pauseMs;
    await endpoint.post(aWebhookRequest({ url: under.receiver.url() }));
    expect(under.receiver.requests.all.map(({ connection }) => connection)).toEqual(connections);
  });

  it('goes on with the TLS session after a pause, on a new connection', async () => {
    let nowMs = 0;
    const endpoint = under.endpoint(PATIENT, { allowLoopback: true }, { now: () => nowMs });
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
