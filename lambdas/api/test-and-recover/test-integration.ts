import {
  presentWebhookTest,
  webhookTestResource,
} from '../../../core/delivery/resources/send-resources.ts';
import {
  type TestIntegration,
  webhookTestDocument,
} from '../../../core/delivery/sending/test-integration.ts';
import type { CallBudget } from '../../../core/directory/call-budget.ts';
import { type Logger, logAttempt } from '../../runtime/reporting.ts';
import { apiEndpoint } from '../runtime/api-endpoint.ts';
import type { Route } from '../runtime/route.ts';
import { integrationToCall } from './integration-to-call.ts';

export const route = {
  method: 'POST',
  path: '/integrations/{id}/test',
  access: 'admin',
  isCostly: true,
  operationId: 'testIntegration',
  tag: 'Test and recover',
  summary: 'Send a sample now',
  description: [
    'Sends a sample of an event type to the endpoint, as every delivery is sent, and answers with the request (headers, signatures, and the body byte for byte) and the status and first KiB of the response, or the reason why there was none. The answer is `200` whatever the endpoint does: see `attempt`.',
    'You can test an integration in every state, and a test changes none. The log has the delivery with the trigger `test`; it is not sent again. The call takes as long as the endpoint, up to about 17 seconds.',
  ].join('\n\n'),
  body: {
    schema: webhookTestDocument,
    examples: {
      received: {
        summary: 'As if a message had been received',
        value: { eventType: 'message.received' },
      },
    },
  },
  answers: [
    {
      status: 200,
      description: 'What was sent, and the result.',
      schema: webhookTestResource,
      recorded: { confirmed: 'The endpoint confirmed it', unanswered: 'There was no answer' },
    },
  ],
  refusals: ['not-found'],
} as const satisfies Route;

interface Deps {
  testIntegration: TestIntegration;
  budget: CallBudget;
  logger: Logger;
}

export const createHandler = (deps: Deps) =>
  apiEndpoint(route, deps.logger, async (request) => {
    const { account, id } = await integrationToCall(request, deps.budget);
    const made = await deps.testIntegration({ account, id }, request.body);
    const { event, outcome } = made.attempt;
    logAttempt(made, deps.logger);
    deps.logger.info('integration.tested', {
      account,
      user: request.principal.user,
      integration: id,
      event: event.id,
      eventType: event.type,
      outcome: outcome.class,
    });
    return { statusCode: 200, document: presentWebhookTest(made) };
  });
