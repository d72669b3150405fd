import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { HttpsWebhookEndpoint } from '../../adapters/http/https-webhook-endpoint.ts';
import type { PostResult } from '../../core/delivery/attempt.ts';
import { BUILDS, useEndpoint } from '../support/adapters/endpoint-under-test.ts';
import { aWebhookRequest } from '../support/delivery/webhook-requests.ts';
import * as behaviours from '../support/receiver/receiver-behaviours.ts';
import { answer, type Behaviour } from '../support/receiver/receiver-behaviours.ts';

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

const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';

describe.each(BUILDS)('an endpoint that sends bytes beyond its answer (%s)', (build) => {
  const under = useEndpoint(build);
  const postTo = (endpoint: HttpsWebhookEndpoint) =>
    endpoint.post(aWebhookRequest({ url: under.receiver.url() }));
  const connections = () => under.receiver.requests.all.map(({ connection }) => connection);

  it.each([
    ['a body after a 204', answer(204), '{}'],
    ['a body after a 304', answer(304), '<html>'],
    ['a second answer', answer(500), ANSWER],
  ])('gets the next event over a new connection: %s', async (_bytes, first, stray) => {
    const second = answer(400);
    under.receiver.behave('/', behaviours.both(first, behaviours.bytes(stray)), second);
    const endpoint = under.endpoint();
    await postTo(endpoint);
    expect(await postTo(endpoint)).toMatchObject({ statusCode: 400 });
    expect(connections()).toEqual([1, 2]);
  });

  it('cannot confirm the next event by a second answer when idle', async () => {
    const written = Promise.withResolvers<void>();
    const lateAnswer: Behaviour = async (connection, request) => {
      answer(200)(connection, request);
      await setImmediate();
      connection.write(ANSWER);
      written.resolve();
    };
    under.receiver.behave('/', lateAnswer, answer(400));
    const endpoint = under.endpoint();
    await postTo(endpoint);
    await written.promise;
    expect(await postTo(endpoint)).toMatchObject({ statusCode: 400 });
    expect(connections()).toEqual([1, 2]);
  });

  it.each([1, 5])('confirms 200 events with a 204 and a body %i ms later', async (afterMs) => {
    const late = behaviours.late(behaviours.bytes('{}'), { afterMs });
    under.receiver.behave('/', behaviours.both(answer(204), late));
    const endpoint = under.endpoint();
    const results: PostResult[] = [];
    for (let posts = 0; posts < 200; posts += 1) results.push(await postTo(endpoint));
    expect(results.filter((result) => result.kind !== 'answered')).toEqual([]);
  });

  it('gets the same request over a new connection when they meet the request', async () => {
    under.receiver.behave('/', answer(200), behaviours.bytes('{}'), answer(202));
    const endpoint = under.endpoint();
    await postTo(endpoint);
    expect(await postTo(endpoint)).toMatchObject({ statusCode: 202 });
    expect(connections()).toEqual([1, 1, 2]);
  });

  it('has an outcome when no answer can be read on the new connection either', async () => {
    under.receiver.behave('/', answer(200), behaviours.bytes('{}'));
    const endpoint = under.endpoint();
    await postTo(endpoint);
    expect(await postTo(endpoint)).toMatchObject({ reason: 'not-http' });
    expect(connections()).toEqual([1, 1, 2]);
  });
});
