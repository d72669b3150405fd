import { buildSettingsChange } from '../../core/delivery/trouble/settings-change.ts';
import {
  buildChangeIntegration,
  buildDeleteIntegration,
} from '../../core/integration/change-integration.ts';
import { callApi } from './api-calls.ts';
import type { Process } from './machine.ts';
import { portsOf } from './process-ports.ts';
import { ACCOUNT, idOf, sealedSecretOf, urlOf, type World } from './world.ts';

export interface Change {
  readonly integration: number;
  readonly active: boolean;
  readonly address: number;
  readonly secret: number;
}

const changingPortsOf = (world: World, process: Process) => {
  const ports = portsOf(world, process);
  return { ...ports, settingsChange: buildSettingsChange(ports), pause: async () => {} };
};

export const changeIntegration = (world: World, change: Change): void =>
  callApi(world, 'change-integration', async (process) => {
    const { integration, active, address, secret } = change;
    await buildChangeIntegration(changingPortsOf(world, process))(
      { account: ACCOUNT, id: idOf(integration) },
      ({ settings }) => ({
        active,
        config: {
          baseUrl: urlOf(integration, address),
          webhookSecret: sealedSecretOf(secret, integration),
        },
        settings,
      }),
    );
  });

export const deleteIntegration = (world: World, integration: number): void =>
  callApi(world, 'delete-integration', (process) =>
    buildDeleteIntegration(changingPortsOf(world, process))({
      account: ACCOUNT,
      id: idOf(integration),
      precondition: () => {},
    }),
  );
