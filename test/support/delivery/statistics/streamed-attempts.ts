import type { StreamedAttempt } from '../../../../core/delivery/statistics/count-attempts.ts';

/** At noon, delivered within 40 ms, of the integration `0123456789Ab`. */
export const aStreamedAttempt = (overrides: Partial<StreamedAttempt> = {}): StreamedAttempt => ({
  integration: '0123456789Ab',
  startedAt: new Date('2026-11-20T12:00:00.000Z'),
  answeredAfterMs: 40,
  counted: 'delivered',
  position: '1',
  ...overrides,
});

/** An attempt at each position. */
export const attemptsAt = (...positions: readonly string[]): readonly StreamedAttempt[] =>
  positions.map((position) => aStreamedAttempt({ position }));
