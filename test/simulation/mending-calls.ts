import { deliveryId } from '../../core/delivery/delivery.ts';
import { createRequestRecovery } from '../../core/delivery/request-recovery.ts';
import { createResendDelivery } from '../../core/delivery/resend-delivery.ts';
import { callApi } from './api-calls.ts';
import { portsOf } from './process-ports.ts';
import { ACCOUNT, eventIdOf, idOf, type World } from './world.ts';

const MINUTE_MS = 60_000;

/** `back`: how many events were published after it. */
export const resendDelivery = (
  world: World,
  { integration, back }: { integration: number; back: number },
): void =>
  callApi(world, 'resend-delivery', async (process) => {
    const id = idOf(integration);
    const eventId = eventIdOf(world.events.sent - back);
    const promise = world.ledger.promiseOf(deliveryId(id, eventId));
    await createResendDelivery(portsOf(world, process))({ account: ACCOUNT, id }, eventId);
    if (!isUnderWay(world, id, eventId)) world.ledger.resent(promise);
  });

/**
 * Whether another message can still bring the delivery. It may be stored as pending, or be taken
 * from there, in place of the one that was asked for.
 */
const isUnderWay = ({ events, deliveries }: World, integration: string, eventId: string) =>
  events.contents.some(({ id }) => id === eventId) ||
  deliveries.contents.some(
    (delivery) =>
      delivery.integration === integration &&
      delivery.event.id === eventId &&
      delivery.trigger !== 'manual',
  );

export const recoverDeliveries = (
  world: World,
  { integration, minutes }: { integration: number; minutes: number },
): void =>
  callApi(world, 'request-recovery', async (process) => {
    const since = new Date(world.machine.nowMs - minutes * MINUTE_MS).toISOString();
    await createRequestRecovery(portsOf(world, process))(
      { account: ACCOUNT, id: idOf(integration) },
      { since },
    );
  });
