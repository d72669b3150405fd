import { presentRetry } from '../../../../core/delivery/resources/send-resources.ts';
import type { RetryNow, RetryNowResult } from '../../../../core/delivery/sending/retry-now.ts';
import type { GetIntegration } from '../../../../core/integration/read-integration.ts';
import { type Reporting, reportTroubleEnd } from '../../../runtime/reporting.ts';
import { reportRetryAttempts } from '../../../runtime/retry-report.ts';
import { apiEndpoint, integrationIn } from '../../runtime/api-endpoint.ts';
import { route } from './route.ts';

interface Deps extends Reporting {
  retryNow: RetryNow;
  getIntegration: GetIntegration;
}

export const createHandler = (deps: Deps) =>
  apiEndpoint(route, deps.logger, async (request) => {
    const { account, id } = integrationIn(request);
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
