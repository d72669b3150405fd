import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { createDocumentClient, createQueueClient } from '../../adapters/aws-sdk/aws-clients.ts';
import { scryptHash } from '../../adapters/crypto/key-pair-secret-sealer.ts';
import { newIntegrationId, newWebhookSecret } from '../../adapters/crypto/random-ids.ts';
import {
  dynamoDbAccounts,
  dynamoDbSignatures,
  dynamoDbUsers,
} from '../../adapters/dynamodb/directory/accounts.ts';
import { dynamoDbConsoleLinks } from '../../adapters/dynamodb/directory/console-links.ts';
import { DirectoryItems } from '../../adapters/dynamodb/directory/directory-items.ts';
import { DynamoDbIdempotencyRecords } from '../../adapters/dynamodb/directory/idempotency-records.ts';
import { dynamoDbIssuedTokens } from '../../adapters/dynamodb/directory/tokens.ts';
import { DynamoDbIntegrationWriter } from '../../adapters/dynamodb/integrations/integration-writer.ts';
import { DnsHostAddresses } from '../../adapters/http/dns-host-addresses.ts';
import { buildSettingsChange } from '../../core/delivery/trouble/settings-change.ts';
import { buildPatchAccount } from '../../core/directory/change-account.ts';
import {
  buildCreateAccessToken,
  buildRevokeAccessToken,
} from '../../core/directory/manage-access-tokens.ts';
import { buildCreateConsoleLink, buildOpenConsole } from '../../core/directory/open-console.ts';
import { buildSetSignature } from '../../core/directory/set-signature.ts';
import { buildPause } from '../../core/integration/change-integration.ts';
import { buildIntegrationsApi } from '../../core/integration/integrations-api.ts';
import { composeSecretSealer, composeSecretWraps } from '../composition/secret-sealer.ts';
import { composeReplayRequests, composeRetrySchedules } from '../composition/troubles.ts';
import { flag, hosts, sealingVariables, text, troubleVariables } from '../runtime/environment.ts';
import { createLogger } from '../runtime/reporting.ts';
import { CHANGE_ROUTES } from './routes.ts';
import { dispatch } from './runtime/api-entry.ts';

export const environmentSchema = z.object({
  ...sealingVariables,
  ...troubleVariables,
  ALLOW_LOOPBACK: flag,
  OWN_ORIGINS: hosts,
  DIRECTORY_TABLE: text,
  MAIL_ENABLED: flag,
  CONSOLE_URL: text.optional(),
  /** ARNs, separated by commas. */
  CONSOLE_LINK_ROLES: text.optional(),
});

type Variables = z.output<typeof environmentSchema>;

export const compose = (environment: Variables) => {
  const client = createDocumentClient();
  return {
    ...composeIntegrations(environment, client),
    ...composeDirectory(environment, client),
    mailEnabled: environment.MAIL_ENABLED,
    consoleLinkRoles: environment.CONSOLE_LINK_ROLES?.split(/,\s*/) ?? [],
    now,
    logger: createLogger(),
  };
};

export const createHandler = (deps: ReturnType<typeof compose>) => dispatch(CHANGE_ROUTES, deps);

const now = () => new Date();

const composeIntegrations = (environment: Variables, client: DynamoDBDocumentClient) => {
  const guard = {
    allowLoopback: environment.ALLOW_LOOPBACK,
    ownHosts: environment.OWN_ORIGINS,
  };
  return buildIntegrationsApi({
    integrations: new DynamoDbIntegrationWriter(client, environment.INTEGRATIONS_TABLE, {
      directoryTable: environment.DIRECTORY_TABLE,
    }),
    idempotency: new DynamoDbIdempotencyRecords(client, environment.DIRECTORY_TABLE),
    settingsChange: buildSettingsChange({
      schedules: composeRetrySchedules(environment),
      replays: composeReplayRequests(environment, createQueueClient()),
    }),
    secrets: composeSecretSealer(environment, client),
    secretWraps: composeSecretWraps(environment),
    slowHash: scryptHash,
    hosts: new DnsHostAddresses(guard),
    guard,
    newIntegrationId,
    newWebhookSecret,
    now,
    pause: buildPause({ random: Math.random, sleep }),
  });
};

const composeDirectory = (environment: Variables, client: DynamoDBDocumentClient) => {
  const items = new DirectoryItems(client, environment.DIRECTORY_TABLE);
  const ports = {
    accounts: dynamoDbAccounts(items),
    links: dynamoDbConsoleLinks(items),
    users: dynamoDbUsers(items),
    tokens: dynamoDbIssuedTokens(items),
    now,
    randomBytes,
  };
  return {
    createAccessToken: buildCreateAccessToken(ports),
    revokeAccessToken: buildRevokeAccessToken(ports),
    patchAccount: buildPatchAccount(ports),
    createConsoleLink: buildCreateConsoleLink({
      ...ports,
      consoleOrigin: environment.CONSOLE_URL ?? '',
    }),
    openConsole: buildOpenConsole(ports),
    setSignature: buildSetSignature({ signatures: dynamoDbSignatures(items) }),
  };
};
