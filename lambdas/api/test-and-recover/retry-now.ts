import { presentRetry, retryResource } from '../../../core/delivery/resources/send-resources.ts';
import type { RetryNow, RetryNowResult } from '../../../core/delivery/sending/retry-now.ts';
import type { CallBudget } from '../../../core/directory/call-budget.ts';
import type { GetIntegration } from '../../../core/integration/read-integration.ts';
import { type Reporting, reportTroubleEnd } from '../../runtime/reporting.ts';
import { reportRetryAttempts } from '../../runtime/retry-reports.ts';
import { apiEndpoint } from '../runtime/api-endpoint.ts';
import type { Route } from '../runtime/route.ts';
import { integrationToCall } from './integration-to-call.ts';

export const route = {
  method: 'POST',
  path: '/integrations/{id}/retry',
  access: 'admin',
  isCostly: true,
  operationId: 'retryNow',
  tag: 'Test and recover',
  summary: 'Retry pending events now',
  description: [
    'Makes the hourly attempts now. If the integration is `failed` or `busy`, the service attempts up to three pending events, until one is confirmed: of the ten oldest, the one with the fewest attempts; the newest; and one drawn from the others. If the endpoint confirms an event, the integration becomes `active` and everything pending is sent, oldest first. Otherwise the events stay pending. A fatal outcome makes a `busy` integration `failed`, except an error answer with `onFatalError` `continue`. If the integration is neither `failed` nor `busy`, everything pending is sent without an attempt.',
    'The answer is `200` whatever the endpoint does: see `result`. The call takes up to about 25 seconds.',
  ].join('\n\n'),
  answers: [
    {
      status: 200,
      description: 'The result of the retry.',
      schema: retryResource,
      recorded: {
        recovered: 'The endpoint confirmed an event',
        'still-failing': 'The endpoint still fails',
        'nothing-to-retry': 'Nothing was pending',
      },
    },
  ],
  refusals: ['not-found', 'integration-inactive'],
} as const satisfies Route;

interface Deps extends Reporting {
  retryNow: RetryNow;
  getIntegration: GetIntegration;
  budget: CallBudget;
}

export const createHandler = (deps: Deps) =>
  apiEndpoint(route, deps.logger, async (request) => {
    const { account, id } = await integrationToCall(request, deps.budget);
    const result = await deps.retryNow({ account, id });
    deps.logger.info('integration.retried', {
      account,
      user: request.principal.user,
      integration: id,
      result: result.kind,
    });
    report(result, { account, integration: id }, deps);
    const integration = await deps.getIntegration(account, id);
    return { statusCode: 200, document: presentRetry(result, integration) };
  });

const report = (
  result: RetryNowResult,
  integration: { account: string; integration: string },
  deps: Deps,
): void => {
  if (result.kind === 'retried') reportRetryAttempts(result.attempts, deps);
  if ('endedTrouble' in result && result.endedTrouble) reportTroubleEnd(integration, deps);
  deps.metrics.flush();
};
