import { z } from 'zod';
import { AwsError } from '../aws/aws-request.ts';

const name = z
  .string()
  .regex(/^[0-9a-zA-Z\-_.]{1,64}$/, 'must satisfy regular expression pattern [0-9a-zA-Z-_.]{1,64}');

const ScheduleDefinition = z.strictObject(
  {
    Name: name,
    GroupName: name.default('default'),
    ScheduleExpression: z.string(),
    ScheduleExpressionTimezone: z.literal('UTC').default('UTC'),
    /** Seconds since 1970, as every instant in Scheduler's protocol. */
    StartDate: z.number().optional(),
    Description: z.string().max(512).optional(),
    State: z.literal('ENABLED').default('ENABLED'),
    ClientToken: z.string().min(1).max(64).optional(),
    /** A schedule fires at the beginning of its window. */
    FlexibleTimeWindow: z.object({
      Mode: z.enum(['OFF', 'FLEXIBLE']),
      MaximumWindowInMinutes: z.number().int().min(1).max(1_440).optional(),
    }),
    Target: z.looseObject({
      Arn: z.string().regex(/^arn:[^:]*:(sqs|lambda):/, 'is a target that is not emulated'),
      RoleArn: z.string().min(1),
      Input: z
        .string()
        .refine((input) => !input.includes('<aws.scheduler.'), 'has attributes: not emulated')
        .optional(),
      DeadLetterConfig: z.object({ Arn: z.string().optional() }).optional(),
    }),
  },
  {
    error: ({ code, keys }) =>
      code === 'unrecognized_keys' ? `The embedded run does not emulate ${keys}` : undefined,
  },
);

/** A schedule as its creator describes it, with defaults for what the creator left out. */
export type ScheduleDefinition = z.infer<typeof ScheduleDefinition>;

/** Throws AwsError when the input is invalid or asks for what is not emulated. */
export const parseScheduleDefinition = (input: unknown): ScheduleDefinition =>
  valid(ScheduleDefinition.safeParse(input));

export const parseName = (input: unknown): string => valid(name.safeParse(input));

const valid = <Value>(parsed: z.ZodSafeParseResult<Value>): Value => {
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) =>
    [path.join('.'), message].filter(Boolean).join(': '),
  );
  throw new AwsError('ValidationException', faults.join('; '));
};

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
