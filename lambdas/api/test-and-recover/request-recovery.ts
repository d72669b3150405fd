import {
  type RequestRecovery,
  recoveryDocument,
} from '../../../core/delivery/recovery/request-recovery.ts';
import {
  presentRecovery,
  recoveryResource,
} from '../../../core/delivery/resources/send-resources.ts';
import type { GetIntegration } from '../../../core/integration/read-integration.ts';
import type { Logger } from '../../runtime/reporting.ts';
import { actorOf, apiEndpoint, integrationIn } from '../runtime/api-endpoint.ts';
import type { Route } from '../runtime/route.ts';

export const route = {
  method: 'POST',
  path: '/integrations/{id}/recover',
  access: 'admin',
  isCostly: true,
  operationId: 'requestRecovery',
  tag: 'Test and recover',
  summary: 'Send again what did not arrive',
  description: [
    'For when the endpoint is well again and you know it. Ends `failed` and `busy` at once, sends everything that is pending, and sends again every event of the delivery log that occurred at `since` or later and did not arrive, oldest first. What arrived is not sent again, nor are tests; what is backing off comes by itself, at its `nextAttemptAt`. A receiver may still get an event twice that was just being sent, with the same `id`.',
    'It goes on after the answer. If the endpoint refuses an event during the recovery, the rules of a replay apply: while the endpoint confirms other events, the event is kept and the recovery goes on. Otherwise the integration becomes `failed`, and the remaining events are pending or stay in the log: recover again.',
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
      examples: {
        begun: {
          summary: 'It has begun',
          value: {
            '@context': '/contexts/Recovery.jsonld',
            '@type': 'Recovery',
            integration: '/integrations/8Fq2LmZ0aBcD',
            since: '2026-11-20T12:00:00.000Z',
            requestedAt: '2026-11-20T14:20:00.105Z',
            status: 'active',
          },
        },
      },
    },
  ],
  refusals: ['not-found', 'integration-inactive'],
} as const satisfies Route;

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
