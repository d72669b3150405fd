import { createHash } from 'node:crypto';
import { Refusal } from '../refusal.ts';
import type { GuardPolicy } from './address-guard.ts';
import type { IdempotencyRecord, IdempotencyRecords } from './idempotency-records.ts';
import type {
  Integration,
  IntegrationCounts,
  IntegrationStore,
  NewIntegrations,
} from './integration.ts';
import type { IntegrationDocument } from './integration-document.ts';
import type { WrittenIntegration } from './replace-integration.ts';
import { buildSettingsOf, type HostAddresses } from './settings-of.ts';

export type CreateIntegration = (request: {
  account: string;
  /** The parsed JSON body. */
  document: unknown;
  /** Repeated within 24 hours, a call with the same key creates no second integration. */
  idempotencyKey?: string;
}) => Promise<WrittenIntegration>;

const IDEMPOTENCY_HOURS = 24;

/**
 * Creates an integration. Throws `validation`, `idempotency-conflict` and `integration-quota`.
 *
 * The key is claimed with the new id before the integration is written. A process that dies
 * between the two leaves a claim without an integration: the repeated call writes the integration
 * under the same id. If the process dies after the write, the repeated call finds the integration.
 * The key of a deleted integration is free again, whatever a deletion that died has left of it.
 *
 * The account's integrations are counted right before the new one is written. Creations between
 * whose count and write others are written may exceed the quota: by one less than the number of
 * creations of the account that are at that point at the same time. That takes some milliseconds;
 * the throttle of the API bounds how many begin meanwhile. An exact count would take a lock or a
 * counter that a process that dies leaves wrong.
 */
export const buildCreateIntegration = (ports: {
  integrations: IntegrationStore & IntegrationCounts & NewIntegrations;
  idempotency: IdempotencyRecords;
  hosts: HostAddresses;
  guard: GuardPolicy;
  newIntegrationId: () => string;
  newWebhookSecret: () => string;
  now: () => Date;
  integrationsPerAccount: number;
}): CreateIntegration => {
  const settingsOf = buildSettingsOf(ports);

  const claim = async (wanted: IdempotencyRecord): Promise<IdempotencyRecord> => {
    const record = await ports.idempotency.claim(wanted);
    if (!record.isReleased) return record;
    if (await ports.integrations.find(record.account, record.integration)) return record;
    await ports.idempotency.forget(record);
    return claim(wanted);
  };

  const claimId = async (account: string, key: string, document: unknown): Promise<string> => {
    const bodyHash = createHash('sha256').update(JSON.stringify(document)).digest('hex');
    const record = await claim({
      account,
      key,
      bodyHash,
      integration: ports.newIntegrationId(),
      expiresAt: new Date(ports.now().getTime() + IDEMPOTENCY_HOURS * 3_600_000),
    });
    if (record.bodyHash === bodyHash) return record.integration;
    throw new Refusal(
      'idempotency-conflict',
      'This Idempotency-Key was used with another request body within the last 24 hours.',
    );
  };

  return async ({ account, document, idempotencyKey }) => {
    if (idempotencyKey !== undefined) requireUsableKey(idempotencyKey);
    const { settings: requested, warnings } = await settingsOf(document);

    const id =
      idempotencyKey === undefined
        ? ports.newIntegrationId()
        : await claimId(account, idempotencyKey, document);
    const integration = newIntegration(requested, { account, id, idempotencyKey, ...ports });
    const hasRoom = (await ports.integrations.countOf(account)) < ports.integrationsPerAccount;
    if (hasRoom && (await ports.integrations.add(integration)) === 'added') {
      return { integration, revealSecret: true, warnings };
    }
    const repeated =
      idempotencyKey === undefined ? undefined : await ports.integrations.find(account, id);
    if (repeated !== undefined) {
      const revealSecret = repeated.revision === FIRST_REVISION;
      return { integration: repeated, revealSecret, warnings };
    }
    if (!hasRoom) throw quotaReached(ports.integrationsPerAccount);
    throw new Error(`Integration id ${id} was drawn twice, or its integration is just deleted.`);
  };
};

const FIRST_REVISION = 1;

const quotaReached = (quota: number): Refusal =>
  new Refusal(
    'integration-quota',
    `The account has ${quota} integrations, and an account may have no more: delete one first.`,
  );

const requireUsableKey = (key: string): void => {
  if (/^[\x21-\x7E]{1,255}$/.test(key)) return;
  throw new Refusal('validation', 'A header of the request is not valid.', [
    { header: 'Idempotency-Key', detail: 'must be 1 to 255 printable ASCII characters' },
  ]);
};

const newIntegration = (
  requested: IntegrationDocument,
  given: {
    account: string;
    id: string;
    idempotencyKey: string | undefined;
    newWebhookSecret: () => string;
    now: () => Date;
  },
): Integration => {
  const { idempotencyKey } = given;
  const createdAt = given.now().toISOString();
  const { webhookSecret = given.newWebhookSecret(), ...config } = requested.config;
  return {
    ...requested,
    account: given.account,
    id: given.id,
    provider: 'webhook',
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    config: { ...config, webhookSecret },
    revision: FIRST_REVISION,
    epoch: 0,
    transients: 0,
    slots: {},
    createdAt,
    updatedAt: createdAt,
  };
};
