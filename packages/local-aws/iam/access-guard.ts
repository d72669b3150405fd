import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { AwsError, type ParsedAwsRequest } from '../aws/aws-request.ts';
import { parseEmulated } from '../template/assembly.ts';
import type { Resource } from '../template/stacks.ts';
import { type PartitionKeyOf, requestedAccess } from './requested-access.ts';
import { type Access, allowedBy, statementsOf } from './statements.ts';

/** Calls that were made, told of once. */
export interface AccessMade {
  /** The function's name. */
  readonly caller: string;
  readonly action: string;
  /** As the statement names the resource that allows the calls; of a denied call, the resource. */
  readonly resource: string;
  readonly isAllowed: boolean;
}

export interface AccessGuard {
  /** Throws AwsError as AWS does, when the role of the calling function does not allow the request. */
  check(request: ParsedAwsRequest): void;
  /** Whether a role allows the access. For services of AWS that work with a role. */
  allows(roleArn: string, access: Access): boolean;
}

/** Checks functions by the roles of the template. Other credentials may do everything. */
export const createAccessGuard = (
  resources: readonly Resource[],
  onFirst: (made: AccessMade) => void,
): AccessGuard => {
  const statements = statementsOf(resources);
  const callers = new Map(
    resources
      .filter(({ type }) => type === 'AWS::Lambda::Function')
      .map(({ name, properties }) => [name, statements.get(String(properties.Role)) ?? []]),
  );
  const partitionKeyOf = partitionKeysOf(resources);
  const known = new Set<string>();
  const note = (made: AccessMade): void => {
    const text = JSON.stringify(made);
    if (known.has(text)) return;
    known.add(text);
    onFirst(made);
  };
  return {
    check: (request) => {
      const caller = accessKeyIn(request.headers.authorization);
      const allowed = caller === undefined ? undefined : callers.get(caller);
      if (caller === undefined || allowed === undefined) return;
      for (const access of requestedAccess(request, partitionKeyOf)) {
        const { action, resource } = access;
        const granted = allowedBy(allowed, access);
        note({ caller, action, resource: granted ?? resource, isAllowed: granted !== undefined });
        if (granted === undefined) throw accessDenied(caller, access);
      }
    },
    allows: (roleArn, access) => allowedBy(statements.get(roleArn) ?? [], access) !== undefined,
  };
};

const accessKeyIn = (authorization = ''): string | undefined =>
  /\bCredential=([^/]+)\//.exec(authorization)?.[1];

/** SQS names the error without `Exception`, the others with; the SDK's clients know both. */
const accessDenied = (caller: string, { action, resource }: Access): AwsError =>
  new AwsError(
    action.startsWith('sqs:') ? 'AccessDenied' : 'AccessDeniedException',
    `${caller} is not authorized to perform: ${action} on resource: ${resource} because no identity-based policy allows the ${action} action`,
    /^(dynamodb|kms):/.test(action) ? 400 : 403,
  );

const KeySchema = z.object({
  KeySchema: z.array(z.object({ AttributeName: z.string(), KeyType: z.string() })),
});

const partitionKeysOf = (resources: readonly Resource[]): PartitionKeyOf => {
  const keys = new Map(
    resources
      .filter(({ type }) => type === 'AWS::DynamoDB::Table')
      .map(({ path, name, properties }) => [
        name,
        parseEmulated(path, KeySchema, properties).KeySchema.find(
          ({ KeyType }) => KeyType === 'HASH',
        )?.AttributeName,
      ]),
  );
  return (table) => keys.get(table);
};

export const accessLogIn = (stateDirectory: string): string => join(stateDirectory, 'access.jsonl');

/** Empties the file of a run. Returns a function that adds a line to the file. */
export const createAccessLog = (stateDirectory: string): ((made: AccessMade) => void) => {
  const file = accessLogIn(stateDirectory);
  writeFileSync(file, '');
  return (made) => appendFileSync(file, `${JSON.stringify(made)}\n`);
};
