import type { StreamedAttempt } from './count-attempts.ts';

/** Integrations with attempts, by whether an attempt was confirmed. */
interface Confirming {
  readonly confirming: number;
  readonly notConfirming: number;
}

/**
 * Counts integrations, not attempts: a customer with many events, or many attempts in vain, counts as
 * much as any other. Retries of integrations in trouble do not count: that they fail is known.
 */
export const confirmingAmong = (
  attempts: readonly Pick<StreamedAttempt, 'integration' | 'counted' | 'trigger'>[],
): Confirming => {
  const ofEvents = attempts.filter(
    ({ trigger }) => trigger !== undefined && trigger !== 'hourly' && trigger !== 'manual',
  );
  const all = new Set(ofEvents.map(({ integration }) => integration));
  const confirmed = ofEvents.filter(({ counted }) => counted === 'delivered');
  const confirming = new Set(confirmed.map(({ integration }) => integration)).size;
  return { confirming, notConfirming: all.size - confirming };
};
