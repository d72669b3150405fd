import type { AttemptLog } from '../../core/delivery/attempt.ts';
import { createDeliverWebhook } from '../../core/delivery/deliver-webhook.ts';
import type { WebhookEndpoint } from '../../core/delivery/webhook-endpoint.ts';
import type { DeadLetters } from '../../core/events/dead-letters.ts';
import type { IntegrationStore } from '../../core/integrations/integration.ts';
import { createHandler } from '../../lambdas/deliver-webhook/handler.ts';
import { InMemoryAttemptLog } from './in-memory-attempt-log.ts';
import { InMemoryIntegrations } from './in-memory-integrations.ts';
import { anIntegration } from './integrations.ts';
import { RecordingLogger } from './recording-logger.ts';
import { ScriptedWebhookEndpoint } from './scripted-webhook-endpoint.ts';
import { untouchable } from './untouchable.ts';

const NOON = new Date('2026-11-20T12:00:00.000Z');

/** The function that delivers webhooks over memory; by default there is one active integration. */
export const aDeliveringFunction = ({
  integrations = new InMemoryIntegrations(anIntegration()) as IntegrationStore,
  endpoint = new ScriptedWebhookEndpoint() as WebhookEndpoint,
  attemptLog = new InMemoryAttemptLog() as AttemptLog,
  deadLetters = untouchable<DeadLetters>('the dead-letter queue'),
} = {}) => {
  const logger = new RecordingLogger();
  const deliverWebhook = createDeliverWebhook({
    endpoint,
    attemptLog,
    now: () => NOON,
    userAgent: 'Service-Webhooks/1.2.3',
  });
  return { handler: createHandler({ deliverWebhook, integrations, deadLetters, logger }), logger };
};

/** What a batch's answer says of the messages that stay in the queue. */
export const kept = (...ids: string[]) => ({
  batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })),
});
