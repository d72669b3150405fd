import { customerLimits, IN_WORDS } from '../customer-limits.ts';
import { Refusal } from '../refusal.ts';
import type { GuardPolicy } from './address-guard.ts';
import {
  buildKeyedCreation,
  type EarlierCreation,
  type KeyedCreation,
  type KeyPorts,
} from './idempotency.ts';
import type { Actor, Integration, IntegrationReader } from './integration.ts';
import type { IdempotencyWrite, IntegrationLists, IntegrationWriter } from './integration-store.ts';
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

interface Ports extends KeyPorts {
  integrations: Pick<IntegrationReader, 'find'> &
    Pick<IntegrationLists, 'countOf'> &
    Pick<IntegrationWriter, 'add'>;
  secrets: SecretSealer;
  hosts: HostAddresses;
  guard: GuardPolicy;
  newIntegrationId: () => string;
  newWebhookSecret: () => string;
}

/**
 * Creates an integration. Throws `validation`, `idempotency-conflict`, `integration-quota`, and
 * `not-found` for an account that is being removed.
 *
 * Parallel creations may exceed the quota by one less than their number, which the throttle bounds.
 * An exact count would need a lock or a counter, which a process that dies leaves wrong.
 */
export const buildCreateIntegration = (ports: Ports): CreateIntegration => {
  const settingsOf = buildSettingsOf(ports);
  const keyedCreation = buildKeyedCreation(ports);
  const addNew = buildAddNew(ports);
  return async ({ account, by, document, idempotencyKey: key }) => {
    if (key !== undefined) requireUsableKey(key);
    const { settings, warnings } = await settingsOf(document);
    const keyed = key === undefined ? undefined : await keyedCreation({ account, key, document });
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      // Before the key is looked up: another call may have used it for the last place.
      const hasRoom =
        (await ports.integrations.countOf(account)) < customerLimits.integrationsPerAccount;
      const { created, replaced } = (await keyed?.findEarlier()) ?? {};
      if (created !== undefined) return { ...repeatedAnswer(created, settings), warnings };
      if (!hasRoom) throw quotaReached();
      const added = await addNew(settings, { account, by, keyed, replaced });
      if (added !== undefined) return { ...added, warnings };
    }
    throw new Error('Each time, the id or the key of the new integration was in use.');
  };
};

/** A try fails if another call used the key since it was looked up, or if the id is in use. */
const MAX_TRIES = 5;

type Answer = Omit<Written, 'warnings'>;

/** Once the settings were changed, the secret may be another. */
const repeatedAnswer = (
  { integration, madeSecret }: EarlierCreation,
  { config }: RequestedSettings,
): Answer => ({
  integration,
  newSecret:
    integration.revision === FIRST_REVISION ? (config.webhookSecret ?? madeSecret) : undefined,
});

interface Addition extends Pick<IdempotencyWrite, 'replaced'> {
  readonly account: string;
  readonly by: Actor;
  readonly keyed: KeyedCreation | undefined;
}

const buildAddNew = (ports: Ports) => {
  const sealConfig = buildSealConfig(ports);
  return async (
    requested: RequestedSettings,
    { account, by, keyed, replaced }: Addition,
  ): Promise<Answer | undefined> => {
    const { webhookSecret: chosenSecret, ...config } = requested.config;
    const id = ports.newIntegrationId();
    const webhookSecret = chosenSecret ?? ports.newWebhookSecret();
    const integration = newIntegration(requested, {
      account,
      id,
      by,
      config: await sealConfig({ ...config, webhookSecret }, { account, id }),
      now: ports.now(),
    });
    const madeSecret = chosenSecret === undefined ? webhookSecret : undefined;
    const record = await keyed?.recordOf(id, madeSecret);
    const answer = await ports.integrations.add(integration, record && { record, replaced });
    if (answer === 'no-account') throw new Refusal('not-found', 'The account does not exist.');
    return answer === 'added' ? { integration, newSecret: webhookSecret } : undefined;
  };
};

const FIRST_REVISION = 1;

const quotaReached = (): Refusal =>
  new Refusal(
    'integration-quota',
    `The account has ${IN_WORDS.integrations}, the most allowed. Delete one first.`,
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
    now: Date;
  },
): Integration => {
  const createdAt = given.now.toISOString();
  return {
    ...requested,
    account: given.account,
    id: given.id,
    provider: 'webhook',
    config: given.config,
    revision: FIRST_REVISION,
    epoch: 0,
    createdAt,
    updatedAt: createdAt,
    changedBy: { ...given.by, at: createdAt },
  };
};
