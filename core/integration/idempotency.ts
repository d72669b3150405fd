import { createHash } from 'node:crypto';
import { Refusal } from '../refusal.ts';
import type { SettingsChange } from './change-integration.ts';
import type { Integration, IntegrationStore } from './integration.ts';
import type { SecretWraps, SlowHash } from './secret-sealing.ts';

/** The first request with an `Idempotency-Key`: its body, and the integration it created. */
export interface IdempotencyRecord {
  readonly account: string;
  readonly key: string;
  /** A slow hash of the request's body. In records from before: its SHA-256, hexadecimal. */
  readonly bodyHash: string;
  /**
   * The webhook secret that the service made for the integration, wrapped: a repeated request is
   * answered with that secret. Absent when the request sets the secret, and in records from before.
   */
  readonly madeSecret?: string;
  /** The integration's id. A repeated request uses this id if the integration was not written. */
  readonly integration: string;
  readonly expiresAt: Date;
  /** True once a deletion of the integration has begun: an integration that is gone was deleted. */
  readonly isReleased?: boolean;
}

/** A key, and the integration that the key must still stand for. */
export type KeyOfIntegration = Pick<IdempotencyRecord, 'account' | 'key' | 'integration'>;

export interface IdempotencyRecords {
  /**
   * Stores the record unless an unexpired record of its account and key is stored. Returns the
   * stored record.
   */
  claim(record: IdempotencyRecord): Promise<IdempotencyRecord>;
  /** Marks the record as released; nothing if the key stands for no or another integration. */
  release(key: KeyOfIntegration): Promise<void>;
  /** Removes the record; nothing if the key stands for no or another integration. */
  forget(key: KeyOfIntegration): Promise<void>;
}

type Deletion = Pick<SettingsChange, 'beforeDeletion' | 'afterDeletion'>;

/**
 * The steps around a deletion, and with them the end of the key that the integration was created
 * with. A repeated creation must not get the id of a deleted integration: what is still pending
 * under that id, and is to be cleared away, would be sent to the new integration.
 *
 * The record is marked before the integration is deleted, and removed afterwards:
 *
 * - A process that dies after the mark leaves the integration. A repeated creation finds the
 *   integration and answers with it, as before. Removing the record at this point would let the
 *   repeated creation make a second integration beside the first.
 * - A process that dies after the deletion leaves a marked record. A repeated creation finds no
 *   integration, and the mark tells that the integration was deleted, not that its creation is
 *   under way: the creation removes the record and draws a new id. Removing the record only after
 *   the deletion, without a mark, would leave the old id in force.
 *
 * One case is left: of two creations with one key at the same time, one has to wait between its
 * claim and its write until the other was answered and its integration deleted.
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

export type ClaimKey = (creation: {
  account: string;
  key: string;
  /** The parsed JSON body. */
  document: unknown;
  /** The webhook secret in the document; undefined when the service has to make one. */
  chosenSecret: string | undefined;
}) => Promise<{
  /** The id of the integration that the key stands for. */
  id: string;
  /**
   * The webhook secret of that integration as it was created. Undefined when only the integration
   * can tell: its key was claimed before records had secrets.
   */
  createdSecret: string | undefined;
}>;

const IDEMPOTENCY_HOURS = 24;

/**
 * Claims an `Idempotency-Key` for a creation. The record has the secret that the service made, so
 * every call with the key creates the integration with that secret, or answers with it. Throws
 * `idempotency-conflict`.
 */
export const buildClaimKey = (ports: {
  integrations: IntegrationStore;
  idempotency: IdempotencyRecords;
  secretWraps: SecretWraps;
  slowHash: SlowHash;
  newIntegrationId: () => string;
  newWebhookSecret: () => string;
  now: () => Date;
}): ClaimKey => {
  const claim = async (wanted: IdempotencyRecord): Promise<IdempotencyRecord> => {
    const record = await ports.idempotency.claim(wanted);
    if (!record.isReleased) return record;
    if (await ports.integrations.find(record.account, record.integration)) return record;
    await ports.idempotency.forget(record);
    return claim(wanted);
  };

  return async ({ account, key, document, chosenSecret }) => {
    const body = JSON.stringify(document);
    // The body may have secrets: a fast hash of a weak secret would tell that secret.
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
    if (record.bodyHash !== bodyHash && record.bodyHash !== sha256(body)) throw conflict();
    const id = record.integration;
    const isOurs = id === integration || chosenSecret !== undefined;
    if (isOurs || record.madeSecret === undefined) {
      return { id, createdSecret: isOurs ? secret : undefined };
    }
    return { id, createdSecret: await ports.secretWraps.unwrap(record.madeSecret, record) };
  };
};

const conflict = (): Refusal =>
  new Refusal(
    'idempotency-conflict',
    'This Idempotency-Key was used with another request body within the last 24 hours.',
  );

/** What records had before the slow hash. */
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
