import type { RequestRecovery } from '../../../../core/delivery/recovery/request-recovery.ts';
import { presentRecovery } from '../../../../core/delivery/resources/send-resources.ts';
import type { GetIntegration } from '../../../../core/integration/read-integration.ts';
import type { Logger } from '../../../runtime/reporting.ts';
import { actorOf, apiEndpoint, integrationIn } from '../../runtime/api-endpoint.ts';
import { route } from './route.ts';

interface Deps {
  requestRecovery: RequestRecovery;
  getIntegration: GetIntegration;
  logger: Logger;
}

export const createHandler = (deps: Deps) =>
  apiEndpoint(route, deps.logger, async (request) => {
    const { account, id } = integrationIn(request);
    const recovery = await deps.requestRecovery(
      { account, id, by: actorOf(request) },
      request.body,
    );
    deps.logger.info('recovery.requested', {
      account,
      user: request.principal.user,
      integration: id,
      since: recovery.since.toISOString(),
      endedTrouble: recovery.endedTrouble,
    });
    const integration = await deps.getIntegration(account, id);
    return { statusCode: 202, document: presentRecovery(recovery, integration) };
  });
