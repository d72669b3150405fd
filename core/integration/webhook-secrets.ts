import { createHash, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { inForce, type PreviousSecret, type SigningSecrets } from './integration.ts';

const CHARACTERS = 'must be 16 to 128 printable ASCII characters';

/** A secret that begins with `whsec_` is a Standard Webhooks secret: base64 follows the prefix. */
const ownOrStandardWebhooks =
  /^(?:(?!whsec_)|whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$)/;

/** A secret that a caller sets. `[FILTERED]` is too short for a secret. */
export const webhookSecret = z
  .string()
  .regex(/^[\x20-\x7E]{16,128}$/, CHARACTERS)
  .regex(ownOrStandardWebhooks, 'must be base64 after the prefix whsec_');

/** A secret that a caller sets, or `[FILTERED]`, which stands for the stored secret. */
export const webhookSecretOrFiltered = z
  .string()
  .regex(/^(?:\[FILTERED\]|[\x20-\x7E]{16,128})$/, CHARACTERS)
  .regex(ownOrStandardWebhooks, 'must be base64 after the prefix whsec_');

/** Compares two secrets in a time that reveals neither their lengths nor where they differ. */
export const isSameSecret = (secret: string, other: string): boolean =>
  timingSafeEqual(digestOf(secret), digestOf(other));

const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Repeated rotations keep several previous secrets. Each previous secret adds a signature. */
const MAX_PREVIOUS = 4;

/**
 * The secrets after a caller wrote the settings with the secret `written`. Another secret removes
 * all previous secrets. The stored secret keeps them: the answer to a rotation shows that secret in
 * full, and a caller may send the answer back.
 */
export const writtenSecrets = (
  stored: SigningSecrets,
  written: string,
  { now }: { now: Date },
): SigningSecrets =>
  withPrevious(
    written,
    isSameSecret(written, stored.webhookSecret) ? inForce(stored.previousSecrets, now) : [],
  );

/**
 * The secrets after a rotation. Deliveries are signed with the replaced secret until the overlap
 * ends, and with earlier secrets until they expire. Without an overlap every previous secret is
 * gone.
 */
export const rotatedSecrets = (
  stored: SigningSecrets,
  newSecret: string,
  { now, overlapSeconds }: { now: Date; overlapSeconds: number },
): SigningSecrets => {
  if (overlapSeconds === 0) return { webhookSecret: newSecret };
  const expiresAt = new Date(now.getTime() + overlapSeconds * 1_000).toISOString();
  const previous = [
    { secret: stored.webhookSecret, expiresAt },
    ...inForce(stored.previousSecrets, now),
  ];
  return withPrevious(
    newSecret,
    previous.filter(({ secret }) => !isSameSecret(secret, newSecret)).slice(0, MAX_PREVIOUS),
  );
};

const withPrevious = (
  current: string,
  previousSecrets: readonly PreviousSecret[],
): SigningSecrets => ({
  webhookSecret: current,
  ...(previousSecrets.length > 0 && { previousSecrets }),
});
