import { setTimeout as sleep } from 'node:timers/promises';
import { createDocumentClient } from '../../adapters/aws-clients.ts';
import { DynamoDbIntegrations } from '../../adapters/dynamodb/dynamodb-integrations.ts';
import { DnsHostAddresses } from '../../adapters/http/dns-host-addresses.ts';
import { buildSettingsChange } from '../../core/delivery/trouble/settings-change.ts';
import { buildChangeIntegration } from '../../core/integration/change-integration.ts';
import { buildPause } from '../../core/integration/contended-change.ts';
import type {
  addressVariables,
  Parsed,
  sealingVariables,
  troubleVariables,
} from '../runtime/environment.ts';
import { composeSecretSealer } from './secrets.ts';
import { composeReplayRequests, composeRetrySchedules } from './troubles.ts';

/** Composes the ports of the functions that change or delete integrations. */
export const composeChanging = (
  environment: Parsed<typeof troubleVariables>,
  client = createDocumentClient(),
) => {
  const ports = {
    integrations: new DynamoDbIntegrations(client, environment.INTEGRATIONS_TABLE),
    settingsChange: buildSettingsChange({
      schedules: composeRetrySchedules(environment),
      replays: composeReplayRequests(environment),
    }),
    now: () => new Date(),
    pause: buildPause({ random: Math.random, sleep }),
  };
  return { ...ports, changeIntegration: buildChangeIntegration(ports) };
};

/** Composes the ports of the functions that write settings, and with them secrets. */
export const composeWriting = (
  environment: Parsed<typeof troubleVariables> & Parsed<typeof sealingVariables>,
) => {
  const client = createDocumentClient();
  return {
    ...composeChanging(environment, client),
    secrets: composeSecretSealer(environment, client),
  };
};

/** Composes the ports that check the address of an integration before it is stored. */
export const composeAddressCheck = (environment: Parsed<typeof addressVariables>) => ({
  hosts: new DnsHostAddresses(),
  guard: { allowLoopback: environment.ALLOW_LOOPBACK },
});
