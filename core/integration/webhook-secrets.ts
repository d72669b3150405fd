import { createHash, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { inForce, type PreviousSecret, type SigningSecrets } from './integration.ts';

const CHARACTERS = 'must be 16 to 128 printable ASCII characters';

/** A secret that begins with `whsec_` is one of Standard Webhooks: base64 follows. */
const ownOrStandardWebhooks =
  /^(?:(?!whsec_)|whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$)/;

/** A secret that a caller sets. `[FILTERED]` is too short to be one. */
export const webhookSecret = z
  .string()
  .regex(/^[\x20-\x7E]{16,128}$/, CHARACTERS)
  .regex(ownOrStandardWebhooks, 'must be base64 after the prefix whsec_');

/** The same, where `[FILTERED]` stands for the stored secret. */
export const webhookSecretOrFiltered = z
  .string()
  .regex(/^(?:\[FILTERED\]|[\x20-\x7E]{16,128})$/, CHARACTERS)
  .regex(ownOrStandardWebhooks, 'must be base64 after the prefix whsec_');

/** Whether two secrets are the same, in a time that tells neither their length nor where they differ. */
export const isSameSecret = (secret: string, other: string): boolean =>
  timingSafeEqual(digestOf(secret), digestOf(other));

const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** A rotation that is repeated keeps several previous secrets; each of them is one more signature. */
const MAX_PREVIOUS = 4;

/**
 * The secrets after the settings were written with a secret. Another secret leaves no previous ones;
 * the stored secret keeps them, for the answer of a rotation shows it in full and may be sent back.
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
 * The secrets after a rotation: deliveries are signed with the replaced secret until the overlap
 * ends, and with earlier ones as long as they were to be. Without an overlap all of them are gone.
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
