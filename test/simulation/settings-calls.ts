import { createChangeIntegration } from '../../core/integrations/change-integration.ts';
import { createDeleteIntegration } from '../../core/integrations/delete-integration.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Process } from './machine.ts';
import { portsOf } from './process-ports.ts';
import { ACCOUNT, idOf, secretOf, urlOf, type World } from './world.ts';

export interface Change {
  readonly integration: number;
  readonly active: boolean;
  readonly address: number;
  readonly secret: number;
}

/** API Gateway gives up after that. */
const LIFETIME_MS = 29_000;

export const changeIntegration = (world: World, change: Change): void =>
  callApi(world, 'change-integration', async (process) => {
    const { integration, active, address, secret } = change;
    await createChangeIntegration(portsOf(world, process))(
      { account: ACCOUNT, id: idOf(integration) },
      ({ settings }) => ({
        active,
        config: { baseUrl: urlOf(integration, address), webhookSecret: secretOf(secret) },
        settings,
      }),
    );
  });

export const deleteIntegration = (world: World, integration: number): void =>
  callApi(world, 'delete-integration', (process) =>
    createDeleteIntegration(portsOf(world, process))({
      account: ACCOUNT,
      id: idOf(integration),
      precondition: () => {},
    }),
  );

/** A caller whose call did not succeed makes it again, or does not. */
const callApi = (world: World, name: string, run: (process: Process) => Promise<void>): void => {
  const { machine, journal } = world;
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
