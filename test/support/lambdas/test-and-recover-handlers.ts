import { buildGetIntegration } from '../../../core/integration/read-integration.ts';
import { createHandler as recovering } from '../../../lambdas/api/test-and-recover/request-recovery/handler.ts';
import { createHandler as resending } from '../../../lambdas/api/test-and-recover/resend-delivery/handler.ts';
import { createHandler as retrying } from '../../../lambdas/api/test-and-recover/retry-now/handler.ts';
import { createHandler as testing } from '../../../lambdas/api/test-and-recover/test-integration/handler.ts';
import {
  testAndRecoverOf,
  testAndRecoverParts,
} from '../delivery/recovery/test-and-recover-parts.ts';
import { type ApiEventWishes, anApiEvent, call } from './api-gateway-events.ts';
import { anObservation } from './observed-handler.ts';

type Wishes = Omit<ApiEventWishes, 'body' | 'method' | 'pathParameters'> & {
  readonly id?: string;
  readonly event?: string;
  readonly body?: unknown;
};

/** The functions by which an integrator mends a webhook, over memory. */
export const testAndRecoverHandlers = (wishes: Parameters<typeof testAndRecoverParts>[0] = {}) => {
  const parts = testAndRecoverParts(wishes);
  const { testIntegration, retryNow, resendDelivery, requestRecovery } = testAndRecoverOf(parts);
  const observation = anObservation();
  const getIntegration = buildGetIntegration(parts);
  const handlers = {
    test: testing({ testIntegration, ...observation }),
    retry: retrying({ retryNow, getIntegration, ...observation }),
    resend: resending({ resendDelivery, ...observation }),
    recover: recovering({ requestRecovery, getIntegration, ...observation }),
  };
  const post = (
    verb: keyof typeof handlers,
    { id = '0123456789Ab', event = 'evt_01JD', body, ...rest }: Wishes = {},
  ) =>
    call(
      handlers[verb],
      anApiEvent({
        method: 'POST',
        path: `/integrations/${id}/${verb}`,
        pathParameters: { id, event },
        ...rest,
        headers: { 'content-type': 'application/json', ...rest.headers },
        body: body === undefined ? null : JSON.stringify(body),
      }),
    );
  return { post, ...parts, ...observation };
};
