import { z } from 'zod';
import { parseEmulated } from '../template/assembly.ts';
import type { Resource } from '../template/stacks.ts';

const oneOrMore = z.union([z.string(), z.array(z.string())]).transform((value) => [value].flat());

const ENCRYPTION_CONTEXT = 'kms:EncryptionContext:';

/** The conditions of our roles. `LeadingKeys` of a call are many, so that all of them must match. */
const Condition = z.strictObject({
  StringEquals: z
    .union([
      z.strictObject({ 'iam:PassedToService': z.string() }),
      z.strictObject({ 'ses:FromAddress': z.string() }),
      // A call of a function never has it: services of AWS that call KMS are not emulated.
      z.strictObject({ 'kms:ViaService': z.string() }),
      z.record(z.templateLiteral([ENCRYPTION_CONTEXT, z.string()]), z.string()),
    ])
    .optional(),
  'ForAllValues:StringLike': z.strictObject({ 'dynamodb:LeadingKeys': oneOrMore }).optional(),
});

export const Statement = z.strictObject({
  Effect: z.literal('Allow'),
  Action: oneOrMore,
  Resource: oneOrMore,
  Condition: Condition.optional(),
});

const Policy = z.object({
  PolicyDocument: z.object({ Statement: z.array(Statement) }),
  Roles: z.array(z.string()),
});

/** Without managed policies: their statements are not in the template, so they allow nothing. */
const Role = z.object({
  Policies: z.array(Policy.pick({ PolicyDocument: true })).default([]),
});

export type Statement = z.infer<typeof Statement>;

/** The access that a call needs. */
export interface Access {
  /** Such as `dynamodb:GetItem`. */
  readonly action: string;
  readonly resource: string;
  /** The partition keys of the items that a call of DynamoDB names. */
  readonly leadingKeys?: readonly string[];
  /** The service that a role is passed to. */
  readonly passedTo?: string;
  /** That a mail comes from. */
  readonly fromAddress?: string;
  /** Of a call of KMS. */
  readonly encryptionContext?: Readonly<Record<string, unknown>>;
}

/** The statements of the roles in the template, by the role's ARN. */
export const statementsOf = (
  resources: readonly Resource[],
): ReadonlyMap<string, readonly Statement[]> => {
  const statements = new Map<string, Statement[]>();
  const arns = new Map<string, string>();
  for (const { type, path, arn, name, properties } of resources) {
    if (type !== 'AWS::IAM::Role') continue;
    const { Policies } = parseEmulated(path, Role, properties);
    arns.set(name, arn);
    statements.set(
      arn,
      Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement),
    );
  }
  for (const { type, path, properties } of resources) {
    if (type !== 'AWS::IAM::Policy') continue;
    const { PolicyDocument, Roles } = parseEmulated(path, Policy, properties);
    for (const role of Roles) {
      statements.get(arns.get(role) ?? '')?.push(...PolicyDocument.Statement);
    }
  }
  return statements;
};

/** The resource, or pattern of resources, by which one of the statements applies to a call. */
export const allowedBy = (
  statements: readonly Omit<Statement, 'Effect'>[],
  access: Access,
): string | undefined =>
  statements
    .filter(
      ({ Action, Condition }) =>
        Action.some((pattern) => matches(pattern, access.action)) && isMet(Condition, access),
    )
    .flatMap(({ Resource }) => Resource)
    .find((pattern) => matches(pattern, access.resource));

const isMet = (condition: Statement['Condition'], access: Access): boolean => {
  const keys = condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'];
  return (
    Object.entries(condition?.StringEquals ?? {}).every(
      ([name, value]) => givenBy(name, access) === value,
    ) &&
    (keys === undefined ||
      (access.leadingKeys ?? []).every((key) => keys.some((pattern) => matches(pattern, key))))
  );
};

/** The value of a condition key; undefined when the call has none, which equals nothing. */
const givenBy = (name: string, { passedTo, fromAddress, encryptionContext }: Access): unknown => {
  if (name === 'ses:FromAddress') return fromAddress;
  return name.startsWith(ENCRYPTION_CONTEXT)
    ? encryptionContext?.[name.slice(ENCRYPTION_CONTEXT.length)]
    : passedTo;
};

const expressions = new Map<string, RegExp>();

/** In a pattern of IAM, `*` stands for any characters, also slashes, and `?` for one character. */
const matches = (pattern: string, text: string): boolean => {
  const expression = expressions.get(pattern) ?? expressionOf(pattern);
  // The patterns are those of one template: some hundreds.
  expressions.set(pattern, expression);
  return expression.test(text);
};

const expressionOf = (pattern: string): RegExp => {
  const expression = pattern
    .replace(/[\\^$.+()[\]{}|]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${expression}$`, 's');
};
