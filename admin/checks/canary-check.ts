import { outcomeOf } from '../../core/delivery/delivery-log-reader.ts';
import type { buildListObserved } from '../../core/delivery/reading/observe-integrations.ts';
import type { GetDelivery } from '../../core/delivery/reading/read-deliveries.ts';
import type { PlatformEvent } from '../../core/event/event.ts';
import { EVENT_CATALOGUE } from '../../core/event/event-catalogue.ts';
import { EVENT_TYPES } from '../../core/event/event-types.ts';
import { type Integration, statusOf } from '../../core/integration/integration.ts';
import { AdministrationError, Refusal } from '../../core/refusal.ts';
import type { Check } from './check.ts';

export interface CanaryPorts {
  /** The account whose integration is the stage's own endpoint; undefined without a canary. */
  canaryAccount(): Promise<string | undefined>;
  overview(): Promise<{
    listIntegrations: ReturnType<typeof buildListObserved>;
    getDelivery: GetDelivery;
  }>;
  eventsQueue(): Promise<{ send(event: PlatformEvent): Promise<unknown> }>;
  newEventId(): string;
  now(): Date;
  pause(ms: number, signal: AbortSignal): Promise<unknown>;
}

/** A cold start of each function on the way, and one backoff of 15 seconds. */
const LIMIT_MS = 60_000;
const BETWEEN_READS_MS = 1_000;

/** Sends an event through the queues, and waits until the delivery log has it as delivered. */
export const canaryCheck = (ports: CanaryPorts): Check => ({
  name: 'canary',
  limitMs: LIMIT_MS,
  look: async (signal) => {
    const account = await ports.canaryAccount();
    if (account === undefined) return { absent: 'the stage has no canary' };
    const { integration, event } = await eventFor(account, ports);
    const { getDelivery } = await ports.overview();
    await (await ports.eventsQueue()).send(event);
    const key = { account, id: integration.id, eventId: event.id };
    while (!(await isDelivered(getDelivery(key)))) await ports.pause(BETWEEN_READS_MS, signal);
    const seconds = (ports.now().getTime() - Date.parse(event.occurredAt)) / 1_000;
    return `event ${event.id} was delivered within ${seconds.toFixed(1)} s`;
  },
});

/** Throws AdministrationError when no integration of the account would get an event. */
const eventFor = async (
  account: string,
  ports: CanaryPorts,
): Promise<{ integration: Integration; event: PlatformEvent }> => {
  const { listIntegrations } = await ports.overview();
  const [first] = (await listIntegrations({ account }, undefined)).listed;
  if (first === undefined) throw new AdministrationError(`account ${account} has no integration`);
  const { integration } = first;
  const type = EVENT_TYPES.find((name) => integration.settings.actions[name]);
  const status = statusOf(integration);
  if (status !== 'active' || type === undefined) {
    const fault = status === 'active' ? 'has no event type' : `is ${status}`;
    throw new AdministrationError(`integration ${integration.id} of ${account} ${fault}`);
  }
  const occurredAt = ports.now().toISOString();
  const data = EVENT_CATALOGUE[type].sample;
  return { integration, event: { id: ports.newEventId(), type, account, occurredAt, data } };
};

/** Throws AdministrationError if the endpoint refused the event. */
const isDelivered = async (reading: ReturnType<GetDelivery>): Promise<boolean> => {
  try {
    const outcome = outcomeOf((await reading).delivery);
    if (outcome !== 'fatal') return outcome === 'delivered';
  } catch (fault) {
    if (fault instanceof Refusal && fault.kind === 'not-found') return false;
    throw fault;
  }
  throw new AdministrationError('the endpoint of the canary refused the event');
};
