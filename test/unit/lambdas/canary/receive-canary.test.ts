import { describe, expect, it } from 'vitest';
import { createHandler } from '../../../../lambdas/canary/receive-canary/handler.ts';
import { anApiEvent, call } from '../../../support/lambdas/api-gateway-events.ts';
import { anObservation } from '../../../support/lambdas/recording-logger.ts';

const SIGNATURE = 'a1'.repeat(32);

const setUp = (latencyMs?: number) => {
  const observation = anObservation();
  const asked: (readonly [string, string])[] = [];
  const handler = createHandler({
    receiveCanary: async (body, signature) => {
      asked.push([body, signature]);
      return latencyMs;
    },
    ...observation,
  });
  return {
    asked,
    ...observation,
    post: (body: string | null, signature?: string) =>
      call(
        handler,
        anApiEvent({
          body,
          ...(signature !== undefined && { headers: { 'X-Service-Signature': signature } }),
          authorizer: null,
        }),
      ),
  };
};

const REFUSED = {
  statusCode: 404,
  headers: { 'Content-Type': 'application/problem+json' },
  body: expect.stringContaining('"type":"/problems/not-found"'),
};

describe('The endpoint of the canary', () => {
  it('confirms a webhook with the right signature, and measures its latency', async () => {
    const { metrics, post } = setUp(850);

    expect(await post('{}', SIGNATURE)).toEqual({ statusCode: 204, body: '' });
    expect(metrics.flushed).toEqual({ CanaryLatency: 850 });
  });

  it('refuses a wrong signature, and logs and measures nothing', async () => {
    const { asked, logger, metrics, post } = setUp();

    expect(await post('{}', SIGNATURE)).toMatchObject(REFUSED);
    expect(asked).toEqual([['{}', SIGNATURE]]);
    expect([metrics.flushed, logger.lines]).toEqual([{}, []]);
  });

  it.each([
    ['no signature', '{}', undefined],
    ['a signature that is no hash', '{}', SIGNATURE.toUpperCase()],
    ['a body larger than its own', 'x'.repeat(4_097), SIGNATURE],
  ])('refuses a request with %s without a look at the integration', async (_, body, signature) => {
    const { asked, post } = setUp(850);

    expect(await post(body, signature)).toMatchObject(REFUSED);
    expect(asked).toEqual([]);
  });
});
