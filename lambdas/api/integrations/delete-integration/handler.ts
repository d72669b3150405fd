import type { DeleteIntegration } from '../../../../core/integration/change-integration.ts';
import type { Logger } from '../../../runtime/reporting.ts';
import { actorOf, apiEndpoint, integrationIn } from '../../runtime/api-endpoint.ts';
import { preconditionOf } from '../write-endpoint.ts';
import { route } from './route.ts';

export const createHandler = (deps: { deleteIntegration: DeleteIntegration; logger: Logger }) =>
  apiEndpoint(route, deps.logger, async (request) => {
    const { account, id } = integrationIn(request);
    const precondition = preconditionOf(request.header('if-match'));
    await deps.deleteIntegration({ account, id, by: actorOf(request), precondition });
    const { user } = request.principal;
    deps.logger.info('integration.deleted', { account, user, integration: id });
    return { statusCode: 204 };
  });
