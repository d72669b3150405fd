import {
  presentWebhookTest,
  webhookTestResource,
} from '../../../core/delivery/resources/send-resources.ts';
import {
  type TestIntegration,
  webhookTestDocument,
} from '../../../core/delivery/sending/test-integration.ts';
import { type Logger, logAttempt } from '../../runtime/reporting.ts';
import { apiEndpoint, integrationIn } from '../runtime/api-endpoint.ts';
import type { Route } from '../runtime/route.ts';
import { refusedTest, testedWebhook } from './send-examples.ts';

export const route = {
  method: 'POST',
  path: '/integrations/{id}/test',
  access: 'admin',
  isCostly: true,
  operationId: 'testIntegration',
  tag: 'Test and recover',
  summary: 'Send a sample now',
  description: [
    'Sends a sample of an event type to the endpoint, signed and within the limits of every delivery, and answers with what was sent and what came back: headers, signatures and body byte for byte, and the status and first KiB of the response or, in words, why there was none. It answers `200` whatever the endpoint does; `attempt` tells.',
    'It works in every state of the integration, active or not, and never changes it. The delivery is in the log, with the trigger `test`; it is not tried again. The call takes as long as the endpoint, up to about 17 seconds.',
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
      description: 'What was sent, and what came of it.',
      schema: webhookTestResource,
      examples: {
        confirmed: { summary: 'The endpoint confirmed it', value: testedWebhook },
        unanswered: { summary: 'There was no answer', value: refusedTest },
      },
    },
  ],
  refusals: ['not-found'],
} as const satisfies Route;

export const createHandler = (deps: { testIntegration: TestIntegration; logger: Logger }) =>
  apiEndpoint(route, deps.logger, async (request) => {
    const { account, id } = integrationIn(request);
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
