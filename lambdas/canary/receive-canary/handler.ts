import type { LambdaFunctionURLEvent, LambdaFunctionURLResult } from 'aws-lambda';
import type { ReceiveCanary } from '../../../core/delivery/canary.ts';
import type { Metrics } from '../../runtime/reporting.ts';

interface Deps {
  readonly receiveCanary: ReceiveCanary;
  readonly metrics: Metrics;
}

const SIGNATURE = /^[0-9a-f]{64}$/;

/** Ten times the body of the canary's webhook. */
const MOST_CHARACTERS = 4_096;

/** Behind a public address: a request that cannot be the canary's is refused before any call of AWS. */
export const createHandler =
  ({ receiveCanary, metrics }: Deps) =>
  async ({
    headers,
    body = '',
    isBase64Encoded,
  }: LambdaFunctionURLEvent): Promise<LambdaFunctionURLResult> => {
    const signature = headers['x-service-signature'] ?? '';
    const isPossible = SIGNATURE.test(signature) && body.length <= MOST_CHARACTERS;
    const text = isBase64Encoded ? Buffer.from(body, 'base64').toString() : body;
    const latencyMs = isPossible ? await receiveCanary(text, signature) : undefined;
    if (latencyMs === undefined) return { statusCode: 401 };
    metrics.canaryLatency({ milliseconds: latencyMs });
    metrics.flush();
    return { statusCode: 204 };
  };
