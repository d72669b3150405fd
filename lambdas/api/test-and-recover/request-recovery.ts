import {
  type RequestRecovery,
  recoveryDocument,
} from '../../../core/delivery/recovery/request-recovery.ts';
import {
  presentRecovery,
  recoveryResource,
} from '../../../core/delivery/resources/send-resources.ts';
import type { CallBudget } from '../../../core/directory/call-budget.ts';
import type { GetIntegration } from '../../../core/integration/read-integration.ts';
import type { Logger } from '../../runtime/reporting.ts';
import { actorOf, apiEndpoint } from '../runtime/api-endpoint.ts';
import type { Route } from '../runtime/route.ts';
import { integrationToCall } from './integration-to-call.ts';

export const route = {
  method: 'POST',
  path: '/integrations/{id}/recover',
  access: 'admin',
  isCostly: true,
  operationId: 'requestRecovery',
  tag: 'Test and recover',
  summary: 'Recover undelivered events',
  description: [
    'Use it when the endpoint works again. Ends `failed` and `busy` immediately, sends pending events, and then every event of the delivery log that occurred at `since` or later and was not delivered, oldest first. Tests are not sent again. Deliveries that back off are sent at their `nextAttemptAt`. An event in flight may arrive twice, with the same `id`.',
    'The recovery continues after the answer. If the endpoint refuses an event, the rules of a replay apply: while the endpoint confirms other events, the event is stored and the recovery continues. Otherwise the integration becomes `failed`, and the remaining events are pending or in the log: recover again.',
  ].join('\n\n'),
  body: {
    schema: recoveryDocument,
    examples: {
      outage: { summary: 'Since the outage began', value: { since: '2026-11-20T12:00:00Z' } },
    },
  },
  answers: [
    {
      status: 202,
      description: 'The recovery has begun.',
      schema: recoveryResource,
      recorded: { begun: 'The recovery has begun' },
    },
  ],
  refusals: ['not-found', 'integration-inactive'],
} as const satisfies Route;

interface Deps {
  requestRecovery: RequestRecovery;
  getIntegration: GetIntegration;
  budget: CallBudget;
  logger: Logger;
}

export const createHandler = (deps: Deps) =>
  apiEndpoint(route, deps.logger, async (request) => {
    const { account, id } = await integrationToCall(request, deps.budget);
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
