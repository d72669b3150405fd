import { Refusal } from '../refusal.ts';
import type { GuardPolicy } from './address-guard.ts';
import { buildClaimKey, type ClaimPorts } from './idempotency.ts';
import type { Actor, Integration, IntegrationReader } from './integration.ts';
import type { IntegrationLists, IntegrationWriter } from './integration-store.ts';
import { buildSealConfig, type SecretSealer } from './secret-sealing.ts';
import { buildSettingsOf, type HostAddresses, type RequestedSettings } from './settings-of.ts';
import type { Written } from './write-integration.ts';

export type CreateIntegration = (request: {
  account: string;
  by: Actor;
  document: unknown;
  /** Repeated within 24 hours, a call with the same key creates no second integration. */
  idempotencyKey?: string;
}) => Promise<Written>;

interface Ports extends ClaimPorts {
  integrations: Pick<IntegrationReader, 'find'> &
    Pick<IntegrationLists, 'countOf'> &
    Pick<IntegrationWriter, 'add'>;
  secrets: SecretSealer;
  hosts: HostAddresses;
  guard: GuardPolicy;
  integrationsPerAccount: number;
}

/**
 * Creates an integration. Throws `validation`, `idempotency-conflict` and `integration-quota`.
 *
 * The key is claimed with the new id before the integration is written: if the process dies, the
 * repeated call writes the integration under the same id, or finds it.
 *
 * Parallel creations may exceed the quota by one less than their number, which the throttle bounds.
 * An exact count would need a lock or a counter, which a process that dies leaves wrong.
 */
export const buildCreateIntegration = (ports: Ports): CreateIntegration => {
  const settingsOf = buildSettingsOf(ports);
  const claimKey = buildClaimKey(ports);
  const sealConfig = buildSealConfig(ports);

  const create = async (
    { account, by, document, idempotencyKey }: Parameters<CreateIntegration>[0],
    checked: Awaited<ReturnType<typeof settingsOf>>,
  ): Promise<Written> => {
    const { settings: requested, warnings } = checked;
    const { webhookSecret: chosenSecret, ...config } = requested.config;
    const { id, createdSecret } =
      idempotencyKey === undefined
        ? { id: ports.newIntegrationId(), createdSecret: chosenSecret }
        : await claimKey({ account, key: idempotencyKey, document, chosenSecret });
    const webhookSecret = createdSecret ?? ports.newWebhookSecret();
    const integration = newIntegration(requested, {
      account,
      id,
      by,
      idempotencyKey,
      config: await sealConfig({ ...config, webhookSecret }, { account, id }),
      now: ports.now(),
    });
    const hasRoom = (await ports.integrations.countOf(account)) < ports.integrationsPerAccount;
    if (hasRoom && (await ports.integrations.add(integration)) === 'added') {
      return { integration, newSecret: webhookSecret, warnings };
    }
    const repeated =
      idempotencyKey === undefined ? undefined : await ports.integrations.find(account, id);
    if (repeated !== undefined) {
      // Once the settings were changed, the secret may be another.
      const newSecret = repeated.revision === FIRST_REVISION ? createdSecret : undefined;
      return { integration: repeated, newSecret, warnings };
    }
    if (!hasRoom) throw quotaReached(ports.integrationsPerAccount);
    if (idempotencyKey === undefined) throw new Error(`Integration id ${id} was drawn twice.`);
    // Its integration was deleted after the claim.
    return create({ account, by, document, idempotencyKey }, checked);
  };

  return async (request) => {
    if (request.idempotencyKey !== undefined) requireUsableKey(request.idempotencyKey);
    return create(request, await settingsOf(request.document));
  };
};

const FIRST_REVISION = 1;

const quotaReached = (quota: number): Refusal =>
  new Refusal(
    'integration-quota',
    `The account has ${quota} integrations, the most allowed. Delete one first.`,
  );

const requireUsableKey = (key: string): void => {
  if (/^[\x21-\x7E]{1,255}$/.test(key)) return;
  throw new Refusal('validation', 'A header of the request is not valid.', [
    { header: 'Idempotency-Key', detail: 'must be 1 to 255 printable ASCII characters' },
  ]);
};

export const newIntegration = (
  requested: Pick<RequestedSettings, 'description' | 'active' | 'settings'>,
  given: Pick<Integration, 'account' | 'id' | 'config'> & {
    by: Actor;
    idempotencyKey?: string | undefined;
    now: Date;
  },
): Integration => {
  const { idempotencyKey } = given;
  const createdAt = given.now.toISOString();
  return {
    ...requested,
    account: given.account,
    id: given.id,
    provider: 'webhook',
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    config: given.config,
    revision: FIRST_REVISION,
    epoch: 0,
    createdAt,
    updatedAt: createdAt,
    changedBy: { ...given.by, at: createdAt },
  };
};
