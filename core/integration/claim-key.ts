import { createHash } from 'node:crypto';
import { Refusal } from '../refusal.ts';
import type { IdempotencyRecord, IdempotencyRecords, SecretWraps } from './idempotency-records.ts';
import type { IntegrationStore } from './integration.ts';

/** A hash that takes so long that nobody guesses the text by trying. The same salt, the same hash. */
export type SlowHash = (text: string, salt: string) => Promise<string>;

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
