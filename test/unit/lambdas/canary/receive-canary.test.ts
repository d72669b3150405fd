import type { LambdaFunctionURLEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { createHandler } from '../../../../lambdas/canary/receive-canary/handler.ts';
import { anObservation } from '../../../support/lambdas/recording-logger.ts';

const SIGNATURE = 'a1'.repeat(32);

const setUp = (latencyMs?: number) => {
  const { metrics } = anObservation();
  const asked: (readonly [string, string])[] = [];
  const handle = createHandler({
    receiveCanary: async (body, signature) => {
      asked.push([body, signature]);
      return latencyMs;
    },
    metrics,
  });
  return {
    asked,
    metrics,
    post: (body: string, signature?: string, isBase64Encoded = false) =>
      handle({
        headers: signature === undefined ? {} : { 'x-service-signature': signature },
        body,
        isBase64Encoded,
      } as Partial<LambdaFunctionURLEvent> as LambdaFunctionURLEvent),
  };
};

describe('The endpoint of the canary', () => {
  it('confirms a webhook with the right signature, and measures its latency', async () => {
    const { metrics, post } = setUp(850);

    expect(await post('{}', SIGNATURE)).toEqual({ statusCode: 204 });
    expect(metrics.flushed).toEqual({ CanaryLatency: 850 });
  });

  it('refuses a webhook with a wrong signature, and says and measures nothing', async () => {
    const { asked, metrics, post } = setUp();

    expect(await post('{}', SIGNATURE)).toEqual({ statusCode: 401 });
    expect(asked).toEqual([['{}', SIGNATURE]]);
    expect(metrics.flushed).toEqual({});
  });

  it.each([
    ['no signature', '{}', undefined],
    ['a signature that is no hash', '{}', SIGNATURE.toUpperCase()],
    ['a body larger than its own', 'x'.repeat(4_097), SIGNATURE],
  ])('refuses a request with %s without a look at the integration', async (_, body, signature) => {
    const { asked, post } = setUp(850);

    expect(await post(body, signature)).toEqual({ statusCode: 401 });
    expect(asked).toEqual([]);
  });

  it('reads a body that Lambda hands over in base64', async () => {
    const { asked, post } = setUp(850);

    await post(Buffer.from('{"é":1}').toString('base64'), SIGNATURE, true);

    expect(asked).toEqual([['{"é":1}', SIGNATURE]]);
  });
});
