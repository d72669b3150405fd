import { setTimeout as delay } from 'node:timers/promises';
import { mostInFlight, untilQuiet } from './quiet.ts';
import { now } from './receiver.ts';
import { type BenchedService, eventNumbered, type Webhook } from './service.ts';

/** A webhook whose integration is failed. Its endpoint answers 500. */
export interface FailedWebhook extends Webhook {
  /** How long the service took to store what was published. */
  readonly storedS: number;
  /** Messages for endpoints, meanwhile. */
  readonly mostInFlight: number;
}

/** Publishes so many events to an integration that fails with the first. All of them are pending. */
export const failedWebhook = async (
  service: BenchedService,
  total: number,
): Promise<FailedWebhook> => {
  const { account } = service.run.endpoints;
  const webhook = await service.webhookFor('message.received');
  webhook.endpoint.statusOf = () => 500;
  await service.publish([eventNumbered(0, { account })]);
  while ((await webhook.status()) !== 'failed') await delay(50);

  const events = Array.from({ length: total - 1 }, (_, index) =>
    eventNumbered(index + 1, { account }),
  );
  const startedAt = now();
  const storing = service.publish(events).then(() => untilQuiet(service));
  const most = await mostInFlight(service, storing);
  const storedAt = (await storing) ?? Number.NaN;
  return { ...webhook, storedS: (storedAt - startedAt) / 1_000, mostInFlight: most };
};
