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
