import { isSameSecret } from '../signing/same-secret.ts';
import type { PreviousSecret, SigningSecrets } from './integration.ts';

/** A rotation that is repeated keeps more than one; every one of them is one more signature. */
const MAX_PREVIOUS = 4;

/** Those that deliveries are still signed with at an instant. */
export const inForce = (
  previousSecrets: readonly PreviousSecret[] | undefined,
  now: Date,
): readonly PreviousSecret[] =>
  (previousSecrets ?? []).filter(({ expiresAt }) => expiresAt > now.toISOString());

/**
 * The secrets after the settings were written with one. Another secret leaves none before it; the
 * same keeps them, for the answer of a rotation has it in full and may be sent back.
 */
export const writtenSecrets = (
  { webhookSecret, previousSecrets }: SigningSecrets,
  written: string,
  { now }: { now: Date },
): SigningSecrets =>
  withPrevious(written, isSameSecret(written, webhookSecret) ? inForce(previousSecrets, now) : []);

/**
 * The secrets after a rotation: the one before it is signed with until the overlap ends, those
 * before that as long as they were to be. Without an overlap all of them are gone.
 */
export const rotatedSecrets = (
  { webhookSecret, previousSecrets }: SigningSecrets,
  newSecret: string,
  { now, overlapSeconds }: { now: Date; overlapSeconds: number },
): SigningSecrets => {
  if (overlapSeconds === 0) return { webhookSecret: newSecret };
  const expiresAt = new Date(now.getTime() + overlapSeconds * 1_000).toISOString();
  const previous = [{ secret: webhookSecret, expiresAt }, ...inForce(previousSecrets, now)];
  return withPrevious(
    newSecret,
    previous.filter(({ secret }) => !isSameSecret(secret, newSecret)).slice(0, MAX_PREVIOUS),
  );
};

const withPrevious = (
  webhookSecret: string,
  previousSecrets: readonly PreviousSecret[],
): SigningSecrets => ({ webhookSecret, ...(previousSecrets.length > 0 && { previousSecrets }) });
