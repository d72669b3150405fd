import { createChangeIntegration } from '../../core/integrations/change-integration.ts';
import { createDeleteIntegration } from '../../core/integrations/delete-integration.ts';
import { callApi } from './api-calls.ts';
import { portsOf } from './process-ports.ts';
import { ACCOUNT, idOf, secretOf, urlOf, type World } from './world.ts';

export interface Change {
  readonly integration: number;
  readonly active: boolean;
  readonly address: number;
  readonly secret: number;
}

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
