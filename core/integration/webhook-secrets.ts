import { createHash, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import {
  inForce,
  type PreviousSecret,
  type SealedSecret,
  type SigningSecrets,
} from './signing-secrets.ts';

const CHARACTERS = 'must be 16 to 128 printable ASCII characters';

const CANONICAL_BASE64 =
  /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$/;

/** A secret that begins with `whsec_` is a Standard Webhooks secret: canonical base64 follows. */
const isOwnOrStandardWebhooks = (secret: string): boolean =>
  !secret.startsWith('whsec_') || CANONICAL_BASE64.test(secret.slice('whsec_'.length));

const NOT_BASE64 = 'must be canonical base64 after the prefix whsec_';

/** A secret that a caller sets. `[FILTERED]` is too short for a secret. */
export const webhookSecret = z
  .string()
  .regex(/^[\x20-\x7E]{16,128}$/, CHARACTERS)
  .refine(isOwnOrStandardWebhooks, NOT_BASE64);

/** A secret that a caller sets, or `[FILTERED]`, which stands for the stored secret. */
export const webhookSecretOrFiltered = z
  .string()
  .regex(/^(?:\[FILTERED\]|[\x20-\x7E]{16,128})$/, CHARACTERS)
  .refine(isOwnOrStandardWebhooks, NOT_BASE64);

/** Compares two secrets in a time that reveals neither their lengths nor where they differ. */
export const isSameSecret = (secret: string, other: string): boolean =>
  timingSafeEqual(digestOf(secret), digestOf(other));

const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Whether the secrets are equal; `stored` may be sealed with another key pair. */
const isSame = (written: SealedSecret, stored: SealedSecret): boolean =>
  stored.fingerprint !== undefined && stored.fingerprint === written.fingerprint;

type StoredSecrets = SigningSecrets<SealedSecret>;

/** The most previous secrets after repeated rotations. Each adds a signature. */
const MAX_PREVIOUS = 4;

/** Those that were only prepared leave first: no receiver needs them alone. */
const mostNeeded = (
  previous: readonly PreviousSecret<SealedSecret>[],
): readonly PreviousSecret<SealedSecret>[] => {
  const used = previous.filter(({ wasNext }) => !wasNext);
  const prepared = previous.filter(({ wasNext }) => wasNext);
  const kept = new Set([...used, ...prepared].slice(0, MAX_PREVIOUS));
  return previous.filter((secret) => kept.has(secret));
};

/** The stored secret keeps the others: callers may send back the answer to a rotation. */
export const writtenSecrets = (
  stored: StoredSecrets,
  written: SealedSecret | undefined,
  { now }: { now: Date },
): StoredSecrets =>
  written === undefined || isSame(written, stored.webhookSecret)
    ? {
        ...withPrevious(stored.webhookSecret, inForce(stored.previousSecrets, now)),
        ...(stored.nextWebhookSecret && { nextWebhookSecret: stored.nextWebhookSecret }),
      }
    : { webhookSecret: written };

interface Overlap {
  readonly now: Date;
  readonly overlapSeconds: number;
}

/**
 * The new secret is the next one, unless it is the present one. Receivers may know the next secret
 * that it replaces: that one signs until the overlap ends.
 */
export const preparedSecrets = (
  { webhookSecret, nextWebhookSecret, previousSecrets }: StoredSecrets,
  newSecret: SealedSecret,
  { now, overlapSeconds }: Overlap,
): StoredSecrets => {
  const previous = [
    ...replaced(nextWebhookSecret, { now, overlapSeconds }).map(
      (next) => ({ ...next, wasNext: true }) as const,
    ),
    ...inForce(previousSecrets, now),
  ];
  return {
    ...withPrevious(webhookSecret, without(newSecret, previous)),
    ...(!isSame(newSecret, webhookSecret) && { nextWebhookSecret: newSecret }),
  };
};

/**
 * The named secret, if it is the next one, replaces the present one, which signs until the overlap
 * ends, if any; earlier ones until they expire. The present one stays, unless another is prepared:
 * the caller has then named the wrong one of two. Returns the fault of a secret that is refused.
 */
export const switchedSecrets = (
  stored: StoredSecrets,
  named: SealedSecret,
  { now, overlapSeconds }: Overlap,
): StoredSecrets | { readonly fault: string } => {
  const { webhookSecret, nextWebhookSecret } = stored;
  const earlier = overlapSeconds === 0 ? [] : inForce(stored.previousSecrets, now);
  if (nextWebhookSecret !== undefined && isSame(named, nextWebhookSecret)) {
    const previous = [...replaced(webhookSecret, { now, overlapSeconds }), ...earlier];
    return withPrevious(nextWebhookSecret, without(nextWebhookSecret, previous));
  }
  if (!isSame(named, webhookSecret)) return { fault: NOT_PREPARED };
  return nextWebhookSecret ? { fault: IS_CURRENT } : withPrevious(webhookSecret, earlier);
};

const NOT_PREPARED =
  'must be the prepared secret, which another call of rotate-secret may have replaced since';
const IS_CURRENT = 'must be the prepared secret: this is the current secret';

const replaced = (
  secret: SealedSecret | undefined,
  { now, overlapSeconds }: Overlap,
): readonly PreviousSecret<SealedSecret>[] =>
  secret === undefined || overlapSeconds === 0
    ? []
    : [{ secret, expiresAt: new Date(now.getTime() + overlapSeconds * 1_000).toISOString() }];

const without = (
  current: SealedSecret,
  previous: readonly PreviousSecret<SealedSecret>[],
): readonly PreviousSecret<SealedSecret>[] =>
  mostNeeded(previous.filter(({ secret }) => !isSame(current, secret)));

const withPrevious = (
  current: SealedSecret,
  previousSecrets: readonly PreviousSecret<SealedSecret>[],
): StoredSecrets => ({
  webhookSecret: current,
  ...(previousSecrets.length > 0 && { previousSecrets }),
});
