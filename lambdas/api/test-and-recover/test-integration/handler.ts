import { presentWebhookTest } from '../../../../core/delivery/resources/send-resources.ts';
import type { TestIntegration } from '../../../../core/delivery/sending/test-integration.ts';
import { type Logger, logAttempt } from '../../../runtime/reporting.ts';
import { apiEndpoint, integrationIn } from '../../runtime/api-endpoint.ts';
import { route } from './route.ts';

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
