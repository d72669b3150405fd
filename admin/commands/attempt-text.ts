import { type Attempt, REASONS } from '../../core/delivery/attempt.ts';
import { presentAttempt } from '../../core/delivery/resources/delivery-resource.ts';

/** What an attempt came to, on one line: `2026-11-20T12:00:01.000Z  fatal 500`. */
export const attemptText = (attempt: Attempt | undefined): string => {
  if (attempt === undefined) return 'not attempted';
  const { startedAt, outcome } = attempt;
  const { result } = outcome;
  const came =
    result.kind === 'answered'
      ? String(result.statusCode)
      : (result.code ?? REASONS[result.reason]);
  return `${startedAt.toISOString()}  ${outcome.class} ${came}`;
};

/** An attempt as commands print it with `--json`: as the API does, without what the endpoint answered. */
export const attemptDocument = (attempt: Attempt | undefined) => {
  if (attempt === undefined) return undefined;
  const { '@type': _, response: __, ...shown } = presentAttempt(attempt);
  return shown;
};
