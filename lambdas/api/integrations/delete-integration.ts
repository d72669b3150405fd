import { IN_WORDS } from '../../../core/customer-limits.ts';
import type { DeleteIntegration } from '../../../core/integration/change-integration.ts';
import type { Logger } from '../../runtime/reporting.ts';
import { actorOf, apiEndpoint, integrationIn } from '../runtime/api-endpoint.ts';
import type { Route } from '../runtime/route.ts';
import { preconditionOf } from './write-endpoint.ts';

export const route = {
  method: 'DELETE',
  path: '/integrations/{id}',
  access: 'admin',
  operationId: 'deleteIntegration',
  tag: 'Integrations',
  summary: 'Delete an integration',
  description: `Nothing more is sent. Pending events are deleted soon after. The delivery log can no longer be read, and expires within ${IN_WORDS.logRetention}.`,
  requestHeaders: ['If-Match'],
  answers: [{ status: 204, description: 'It is deleted.' }],
  refusals: ['not-found', 'conflict', 'precondition-failed'],
} as const satisfies Route;

export const createHandler = (deps: { deleteIntegration: DeleteIntegration; logger: Logger }) =>
  apiEndpoint(route, deps.logger, async (request) => {
    const { account, id } = integrationIn(request);
    const precondition = preconditionOf(request);
    await deps.deleteIntegration({ account, id, by: actorOf(request), precondition });
    const { user } = request.principal;
    deps.logger.info('integration.deleted', { account, user, integration: id });
    return { statusCode: 204 };
  });
