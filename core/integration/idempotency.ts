import { Refusal } from '../refusal.ts';
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
  /** The id of the integration, which was written together with the record. */
  readonly integration: string;
  readonly expiresAt: Date;
}

export interface IdempotencyRecords {
  /** It may have expired. Strongly consistent. */
  find(account: string, key: string): Promise<IdempotencyRecord | undefined>;
}

export interface KeyPorts {
  integrations: Pick<IntegrationReader, 'find'>;
  idempotency: IdempotencyRecords;
  secretWraps: SecretWraps;
  slowHash: SlowHash;
  now: () => Date;
}

interface Creation {
  readonly account: string;
  readonly key: string;
  readonly document: unknown;
}

/** What an earlier call with the key created. */
export interface EarlierCreation {
  readonly integration: Integration;
  readonly madeSecret: string | undefined;
}

interface Earlier {
  readonly created?: EarlierCreation;
  /** A record that has expired, or whose integration was deleted. */
  readonly replaced?: IdempotencyRecord | undefined;
}

const IDEMPOTENCY_HOURS = 24;

/**
 * A creation that may be repeated. Its integration and the record of its key are written together,
 * so a record whose integration is gone is that of a deleted one.
 */
export const buildKeyedCreation =
  (ports: KeyPorts) =>
  async ({ account, key, document }: Creation) => {
    const body = JSON.stringify(document, inOrder);
    // A fast hash of a body with a weak secret would reveal the secret.
    const bodyHash = await ports.slowHash(body, `${account} ${key}`);
    return {
      /** Throws `idempotency-conflict`. */
      findEarlier: async (): Promise<Earlier> => {
        const record = await ports.idempotency.find(account, key);
        if (record === undefined || record.expiresAt <= ports.now()) return { replaced: record };
        const integration = await ports.integrations.find(account, record.integration);
        if (integration === undefined) return { replaced: record };
        if (record.bodyHash !== bodyHash) throw conflict();
        const { madeSecret: wrapped } = record;
        const madeSecret = wrapped && (await ports.secretWraps.unwrap(wrapped, record));
        return { created: { integration, madeSecret } };
      },
      recordOf: async (
        integration: string,
        madeSecret: string | undefined,
      ): Promise<IdempotencyRecord> => ({
        account,
        key,
        bodyHash,
        integration,
        ...(madeSecret !== undefined && {
          madeSecret: await ports.secretWraps.wrap(madeSecret, { account, integration }),
        }),
        expiresAt: new Date(ports.now().getTime() + IDEMPOTENCY_HOURS * 3_600_000),
      }),
    };
  };

export type KeyedCreation = Awaited<ReturnType<ReturnType<typeof buildKeyedCreation>>>;

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
