import { z } from 'zod';
import { matches } from '../iam/patterns.ts';

const oneOrMore = z.union([z.string(), z.array(z.string())]).transform((value) => [value].flat());

const Statement = z.object({
  Effect: z.enum(['Allow', 'Deny']),
  Action: oneOrMore,
  Resource: oneOrMore,
  Condition: z.undefined({ error: 'is not emulated' }).optional(),
});

export const PolicyDocument = z.object({
  Statement: z.union([Statement, z.array(Statement)]).transform((value) => [value].flat()),
});

export type PolicyDocument = z.infer<typeof PolicyDocument>;

/**
 * Whether the policy lets a caller invoke a method. A `Deny` is stronger than an `Allow`; without
 * either, the method is denied.
 */
export const allows = (policy: PolicyDocument, methodArn: string): boolean => {
  const effects = policy.Statement.filter(
    ({ Action, Resource }) =>
      Action.some((pattern) => matches(pattern, 'execute-api:Invoke')) &&
      Resource.some((pattern) => matches(pattern, methodArn)),
  ).map(({ Effect }) => Effect);
  return effects.includes('Allow') && !effects.includes('Deny');
};
