import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { ReceiveCanary } from '../../../core/delivery/canary.ts';
import { Refusal } from '../../../core/refusal.ts';
import { refuse } from '../../api/runtime/problem-json.ts';
import { headerOf } from '../../api/runtime/request-headers.ts';
import type { Reporting } from '../../runtime/reporting.ts';

interface Deps extends Reporting {
  readonly receiveCanary: ReceiveCanary;
}

const SIGNATURE = /^[0-9a-f]{64}$/;

/** Ten times the body of the canary's webhook. */
const MOST_CHARACTERS = 4_096;

/**
 * Behind a route that needs no token, because deliveries have none: a request that cannot be the
 * canary's is refused before any call of AWS.
 */
export const createHandler =
  ({ receiveCanary, metrics, logger }: Deps) =>
  async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
    const signature = headerOf(event, 'x-service-signature') ?? '';
    const body = event.body ?? '';
    const isPossible = SIGNATURE.test(signature) && body.length <= MOST_CHARACTERS;
    const latencyMs = isPossible ? await receiveCanary(body, signature) : undefined;
    if (latencyMs === undefined) {
      const refusal = new Refusal('not-found', 'This address is for the canary of the service.');
      return refuse(refusal, event, logger);
    }
    metrics.canaryLatency({ milliseconds: latencyMs });
    metrics.flush();
    return { statusCode: 204, body: '' };
  };
