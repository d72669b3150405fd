import { deliveryId } from '../../core/delivery/delivery.ts';
import { buildRequestRecovery } from '../../core/delivery/recovery/request-recovery.ts';
import { buildResendDelivery } from '../../core/delivery/recovery/resend-delivery.ts';
import { buildSettingsChange } from '../../core/delivery/trouble/settings-change.ts';
import {
  buildChangeIntegration,
  buildDeleteIntegration,
} from '../../core/integration/change-integration.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Process } from './machine.ts';
import { portsOf } from './process-ports.ts';
import { ACCOUNT, eventIdOf, idOf, sealedSecretOf, urlOf, type World } from './world.ts';

/** API Gateway waits so long for a function. */
const LIFETIME_MS = 29_000;

/** Calls the API. If the call fails without a refusal, the caller repeats it or not, by chance. */
const callApi = (world: World, name: string, run: (process: Process) => Promise<void>): void => {
  const { machine, journal } = world;
  world.hourlyPosts?.mayRepeat();
  let isRefused = false;
  const call = async (process: Process): Promise<void> => {
    try {
      await run(process);
      journal.saw(`${name} done`);
    } catch (fault) {
      isRefused = fault instanceof Refusal;
      if (!isRefused) throw fault;
    }
  };
  const ended: Process['ended'] = (how) => {
    if (how === 'returned' || isRefused || machine.random.happens(0.5)) return;
    journal.saw(`${name} repeated`);
    machine.start(name, call, { lifetimeMs: LIFETIME_MS, ended });
  };
  machine.start(name, call, { lifetimeMs: LIFETIME_MS, ended });
};

export interface Change {
  readonly integration: number;
  readonly active: boolean;
  readonly address: number;
  readonly secret: number;
  /** Whether its events are kept while it is inactive. */
  readonly keeps?: boolean;
}

const changingPortsOf = (world: World, process: Process) => {
  const ports = portsOf(world, process);
  return { ...ports, settingsChange: buildSettingsChange(ports), pause: async () => {} };
};

export const changeIntegration = (world: World, change: Change): void =>
  callApi(world, 'change-integration', async (process) => {
    const { integration, active, address, secret, keeps = false } = change;
    await buildChangeIntegration(changingPortsOf(world, process))(
      { account: ACCOUNT, id: idOf(integration), by: { kind: 'service' } },
      ({ settings }) => ({
        active,
        config: {
          baseUrl: urlOf(integration, address),
          webhookSecret: sealedSecretOf(secret, integration),
        },
        settings: { ...settings, whileInactive: keeps ? 'keep' : 'discard' },
      }),
    );
  });

export const deleteIntegration = (world: World, integration: number): void =>
  callApi(world, 'delete-integration', (process) =>
    buildDeleteIntegration(changingPortsOf(world, process))({
      account: ACCOUNT,
      id: idOf(integration),
      by: { kind: 'service' },
      precondition: () => {},
    }),
  );

const MINUTE_MS = 60_000;

/** Resends an event: `back` events were published after it. */
export const resendDelivery = (
  world: World,
  { integration, back }: { integration: number; back: number },
): void =>
  callApi(world, 'resend-delivery', async (process) => {
    const id = idOf(integration);
    const eventId = eventIdOf(world.published.length - back);
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
    await buildRequestRecovery(portsOf(world, process))(
      { account: ACCOUNT, id: idOf(integration), by: { kind: 'service' } },
      { since },
    );
  });
