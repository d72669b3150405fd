import { setTimeout } from 'node:timers/promises';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createClientWithDeadline, createKeyClient } from '../../adapters/aws-sdk/aws-clients.ts';
import { KeyPairSecretOpener } from '../../adapters/crypto/key-pair-secret-opener.ts';
import { DynamoDbDeliveryLog } from '../../adapters/dynamodb/delivery-log/delivery-log.ts';
import { DynamoDbKeyPairs } from '../../adapters/dynamodb/key-pairs/key-pairs.ts';
import { DynamoDbSetAsideEvents } from '../../adapters/dynamodb/pending-events/pending-store.ts';
import { HttpsWebhookEndpoint } from '../../adapters/http/https-webhook-endpoint.ts';
import { KmsPrivateKeys } from '../../adapters/kms/kms-private-keys.ts';
import { USER_AGENT } from '../../core/delivery/signature-headers.ts';
import { encryptionContext } from '../../core/integration/encryption-context.ts';
import type {
  deliveryLogVariables,
  Parsed,
  secretsVariables,
  settlingVariables,
} from '../runtime/environment.ts';
import { composeTroublePorts, type TroubleClients } from './troubles.ts';

/** With a client of its own. */
export const composeDeliveryLog = (environment: Parsed<typeof deliveryLogVariables>) =>
  new DynamoDbDeliveryLog(
    createClientWithDeadline(environment.DELIVERY_LOG_DEADLINE_MS),
    environment.DELIVERY_LOG_TABLE,
    {
      deadlineMs: environment.DELIVERY_LOG_DEADLINE_MS,
      now: () => new Date(),
    },
  );

/**
 * Opened secrets that a function keeps: of 20,000 integrations, each with a previous secret or a
 * header of its own. They take some 25 MB, or 75 MB if all are headers of the greatest length.
 */
const MOST_KEPT = 40_000;

export const composeSecretOpener = (
  environment: Parsed<typeof secretsVariables>,
  client: DynamoDBDocumentClient,
) =>
  new KeyPairSecretOpener(
    {
      pairs: new DynamoDbKeyPairs(client, environment.KEY_PAIRS_TABLE),
      privateKeys: new KmsPrivateKeys(createKeyClient(), {
        keyArn: environment.SECRETS_KEY_ARN,
        context: encryptionContext(environment.STAGE, 'key-pair'),
      }),
    },
    { mostKept: MOST_KEPT },
  );

/** Composes the ports of the functions that make attempts and begin troubles. */
export const composeAttempting = (
  environment: Parsed<typeof settlingVariables>,
  clients: TroubleClients,
) => ({
  ...composeTroublePorts(environment, clients),
  deliveryLog: composeDeliveryLog(environment),
  setAsideEvents: new DynamoDbSetAsideEvents(clients.tables, environment.PENDING_EVENTS_TABLE),
  endpoint: new HttpsWebhookEndpoint(
    { allowLoopback: environment.ALLOW_LOOPBACK },
    {
      connectTimeoutMs: environment.CONNECT_TIMEOUT_MS,
      responseTimeoutMs: environment.RESPONSE_TIMEOUT_MS,
    },
  ),
  secrets: composeSecretOpener(environment, clients.tables),
  userAgent: `${USER_AGENT}/${environment.SERVICE_VERSION}`,
  sendsTraceparent: environment.SEND_TRACEPARENT,
  failedAfter: environment.FAILED_AFTER,
  windowMs: environment.BACKOFF_WINDOW_MS,
  random: Math.random,
  wait: (ms: number) => setTimeout(ms),
});
