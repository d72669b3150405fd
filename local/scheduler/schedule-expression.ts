import { AwsError } from '../aws/answers.ts';

export type ScheduleExpression = { kind: 'rate'; minutes: number } | { kind: 'at'; at: number };

const MINUTES = { minute: 1, hour: 60, day: 24 * 60 };

export const parseScheduleExpression = (expression: string): ScheduleExpression => {
  const rate = /^rate\(\s*(\d+)\s+(minute|hour|day)s?\s*\)$/.exec(expression);
  if (rate && Number(rate[1]) > 0) {
    return { kind: 'rate', minutes: Number(rate[1]) * MINUTES[rate[2] as keyof typeof MINUTES] };
  }
  const at = /^at\((\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\)$/.exec(expression);
  const instant = at ? Date.parse(`${at[1]}Z`) : Number.NaN;
  if (!Number.isNaN(instant)) return { kind: 'at', at: instant };
  throw new AwsError(
    'ValidationException',
    expression.startsWith('cron(')
      ? 'The embedded run does not emulate cron() expressions.'
      : `Invalid Schedule Expression ${expression}.`,
  );
};
