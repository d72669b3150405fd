import { deliveryId } from '../../core/delivery/delivery.ts';
import { buildRequestRecovery } from '../../core/delivery/recovery/request-recovery.ts';
import { buildResendDelivery } from '../../core/delivery/recovery/resend-delivery.ts';
import { buildTroubles } from '../../core/delivery/trouble/troubles.ts';
import { callApi } from './api-calls.ts';
import { portsOf } from './process-ports.ts';
import { ACCOUNT, eventIdOf, idOf, RETRY_INTERVAL_MS, type World } from './world.ts';

const MINUTE_MS = 60_000;

/** Resends an event: `back` events were published after it. */
export const resendDelivery = (
  world: World,
  { integration, back }: { integration: number; back: number },
): void =>
  callApi(world, 'resend-delivery', async (process) => {
    const id = idOf(integration);
    const eventId = eventIdOf(world.events.sent - back);
    const promise = world.ledger.promiseOf(deliveryId(id, eventId));
    await buildResendDelivery(portsOf(world, process))({ account: ACCOUNT, id }, eventId);
    world.ledger.resent(promise);
  });

export const requestRecovery = (
  world: World,
  { integration, minutes }: { integration: number; minutes: number },
): void =>
  callApi(world, 'request-recovery', async (process) => {
    const since = new Date(world.machine.nowMs - minutes * MINUTE_MS).toISOString();
    const ports = portsOf(world, process);
    const troubles = buildTroubles({ ...ports, retryIntervalMs: RETRY_INTERVAL_MS });
    await buildRequestRecovery({ ...ports, troubles })(
      { account: ACCOUNT, id: idOf(integration) },
      { since },
    );
  });
