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
    ...replaced(nextWebhookSecret, { now, overlapSeconds }),
    ...inForce(previousSecrets, now),
  ];
  return {
    ...withPrevious(webhookSecret, without(newSecret, previous)),
    ...(!isSame(newSecret, webhookSecret) && { nextWebhookSecret: newSecret }),
  };
};

/**
 * The next secret replaces the present one, which signs until the overlap ends, if any; earlier
 * ones until they expire. Without a next secret the present one stays.
 */
export const switchedSecrets = (
  { webhookSecret, nextWebhookSecret, previousSecrets }: StoredSecrets,
  { now, overlapSeconds }: Overlap,
): StoredSecrets => {
  const present = nextWebhookSecret ?? webhookSecret;
  if (overlapSeconds === 0) return { webhookSecret: present };
  const previous = [
    ...replaced(webhookSecret, { now, overlapSeconds }),
    ...inForce(previousSecrets, now),
  ];
  return withPrevious(present, without(present, previous));
};

const replaced = (
  secret: SealedSecret | undefined,
  { now, overlapSeconds }: Overlap,
): readonly PreviousSecret<SealedSecret>[] =>
  secret === undefined
    ? []
    : [{ secret, expiresAt: new Date(now.getTime() + overlapSeconds * 1_000).toISOString() }];

const without = (
  current: SealedSecret,
  previous: readonly PreviousSecret<SealedSecret>[],
): readonly PreviousSecret<SealedSecret>[] =>
  previous.filter(({ secret }) => !isSame(current, secret)).slice(0, MAX_PREVIOUS);

const withPrevious = (
  current: SealedSecret,
  previousSecrets: readonly PreviousSecret<SealedSecret>[],
): StoredSecrets => ({
  webhookSecret: current,
  ...(previousSecrets.length > 0 && { previousSecrets }),
});
