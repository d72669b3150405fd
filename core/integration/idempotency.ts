import { Refusal } from '../refusal.ts';
import type { SettingsChange } from './change-integration.ts';
import type { Integration, IntegrationReader } from './integration.ts';
import type { SecretWraps, SlowHash } from './secret-sealing.ts';

/** The first request with an `Idempotency-Key`: its body, and the integration it created. */
export interface IdempotencyRecord {
  readonly account: string;
  readonly key: string;
  /** A slow hash of the request's body. */
  readonly bodyHash: string;
  /** The webhook secret that the service made, wrapped, for repeated answers. */
  readonly madeSecret?: string;
  /** The integration's id, which a repeated request uses if the integration was not written. */
  readonly integration: string;
  readonly expiresAt: Date;
  /** Set when a deletion of the integration begins: if it is gone, it was deleted. */
  readonly isReleased?: boolean;
}

export type KeyOfIntegration = Pick<IdempotencyRecord, 'account' | 'key' | 'integration'>;

export interface IdempotencyRecords {
  /** Stores the record unless an unexpired one has its account and key. Returns the stored one. */
  claim(record: IdempotencyRecord): Promise<IdempotencyRecord>;
  /** Marks the record as released; nothing if the key stands for no or another integration. */
  release(key: KeyOfIntegration): Promise<void>;
  /** Removes the record; nothing if the key stands for no or another integration. */
  forget(key: KeyOfIntegration): Promise<void>;
}

type Deletion = Pick<SettingsChange, 'beforeDeletion' | 'afterDeletion'>;

/**
 * Releases the key of a deleted integration: a repeated creation must not get its id, or pending
 * events under that id would be sent to the new integration.
 *
 * The record is marked before the deletion and removed afterwards. If the process dies after the
 * mark, a repeated creation finds the integration. If it dies after the deletion, the mark tells it
 * that the integration was deleted, and is not being created: it draws a new id. A creation that has
 * claimed the key before the mark, and writes after it, adds nothing: see `IntegrationWriter.add`.
 */
export const releasingKeys = (ports: {
  settingsChange: Deletion;
  idempotency: IdempotencyRecords;
}): Deletion => ({
  beforeDeletion: async (stored) => {
    await ports.settingsChange.beforeDeletion(stored);
    const key = keyOf(stored);
    if (key !== undefined) await ports.idempotency.release(key);
  },
  afterDeletion: async (stored) => {
    await ports.settingsChange.afterDeletion(stored);
    const key = keyOf(stored);
    if (key !== undefined) await ports.idempotency.forget(key);
  },
});

const keyOf = ({ account, id, idempotencyKey }: Integration): KeyOfIntegration | undefined =>
  idempotencyKey === undefined ? undefined : { account, key: idempotencyKey, integration: id };

interface Creation {
  readonly account: string;
  readonly key: string;
  readonly document: unknown;
  /** Undefined when the service generates the secret. */
  readonly chosenSecret: string | undefined;
}

interface Claimed {
  readonly id: string;
  readonly createdSecret: string;
}

export interface ClaimPorts {
  integrations: Pick<IntegrationReader, 'find'>;
  idempotency: IdempotencyRecords;
  secretWraps: SecretWraps;
  slowHash: SlowHash;
  newIntegrationId: () => string;
  newWebhookSecret: () => string;
  now: () => Date;
}

const IDEMPOTENCY_HOURS = 24;

/** Every call with the key answers with the same secret. Throws `idempotency-conflict`. */
export const buildClaimKey = (ports: ClaimPorts) => {
  const claim = async (wanted: IdempotencyRecord): Promise<IdempotencyRecord> => {
    const record = await ports.idempotency.claim(wanted);
    if (!record.isReleased) return record;
    if (await ports.integrations.find(record.account, record.integration)) return record;
    await ports.idempotency.forget(record);
    return claim(wanted);
  };

  return async ({ account, key, document, chosenSecret }: Creation): Promise<Claimed> => {
    const body = JSON.stringify(document, inOrder);
    // A fast hash of a body with a weak secret would reveal the secret.
    const bodyHash = await ports.slowHash(body, `${account} ${key}`);
    const integration = ports.newIntegrationId();
    const secret = chosenSecret ?? ports.newWebhookSecret();
    const record = await claim({
      account,
      key,
      bodyHash,
      integration,
      ...(chosenSecret === undefined && {
        madeSecret: await ports.secretWraps.wrap(secret, { account, integration }),
      }),
      expiresAt: new Date(ports.now().getTime() + IDEMPOTENCY_HOURS * 3_600_000),
    });
    if (record.bodyHash !== bodyHash) throw conflict();
    const { integration: id, madeSecret } = record;
    // The same body sets the same secret, or none.
    const isKnown = id === integration || madeSecret === undefined;
    const createdSecret = isKnown ? secret : await ports.secretWraps.unwrap(madeSecret, record);
    return { id, createdSecret };
  };
};

/** A replacer: bodies with the same members are the same, in whatever order they have them. */
const inOrder = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value;

const conflict = (): Refusal =>
  new Refusal(
    'idempotency-conflict',
    'This Idempotency-Key was used with another request body within the last 24 hours.',
  );
