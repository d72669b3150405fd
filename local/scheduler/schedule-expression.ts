import { AwsError } from '../aws/answers.ts';

const MINUTES = new Map([
  ['minute', 1],
  ['hour', 60],
  ['day', 24 * 60],
]);

/** The minutes between two runs. Throws AwsError when the expression is not a valid `rate()`. */
export const minutesOfRate = (expression: string): number => {
  const [, count, unit = ''] = /^rate\(\s*(\d+)\s+(minute|hour|day)s?\s*\)$/.exec(expression) ?? [];
  const minutes = Number(count) * (MINUTES.get(unit) ?? 0);
  if (minutes > 0) return minutes;
  throw new AwsError(
    'ValidationException',
    `Invalid Schedule Expression ${expression}: the embedded run emulates rate() alone.`,
  );
};
