import { z } from 'zod';
import { AwsError } from '../aws/answers.ts';

const name = z
  .string()
  .regex(/^[0-9a-zA-Z\-_.]{1,64}$/, 'must satisfy regular expression pattern [0-9a-zA-Z-_.]{1,64}');

const ScheduleDefinition = z.object({
  Name: name,
  GroupName: name.default('default'),
  ScheduleExpression: z.string(),
  ScheduleExpressionTimezone: z
    .literal('UTC', { error: 'other than UTC is not emulated' })
    .default('UTC'),
  /** Seconds since 1970, as all instants in this protocol. */
  StartDate: z.number().optional(),
  EndDate: z.number().optional(),
  Description: z.string().max(512).optional(),
  State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
  KmsKeyArn: z.string().optional(),
  ClientToken: z.string().min(1).max(64).optional(),
  ActionAfterCompletion: z.enum(['NONE', 'DELETE']).default('NONE'),
  FlexibleTimeWindow: z.object({
    Mode: z.enum(['OFF', 'FLEXIBLE']),
    MaximumWindowInMinutes: z.number().int().min(1).max(1_440).optional(),
  }),
  Target: z.looseObject({
    Arn: z.string().regex(/^arn:[^:]*:(lambda|sqs):/, 'is a target that is not emulated'),
    RoleArn: z.string().min(1),
    Input: z.string().optional(),
    DeadLetterConfig: z.object({ Arn: z.string().optional() }).optional(),
  }),
});

/** What a caller says about a schedule. What is left out gets its default, in an update too. */
export type ScheduleDefinition = z.infer<typeof ScheduleDefinition>;

export const parseScheduleDefinition = (input: unknown): ScheduleDefinition =>
  valid(ScheduleDefinition.safeParse(input));

export const parseName = (input: unknown): string => valid(name.safeParse(input));

const valid = <Value>(parsed: z.ZodSafeParseResult<Value>): Value => {
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new AwsError('ValidationException', faults.join('; '));
};
