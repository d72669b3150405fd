import type { z } from 'zod';
import type { StackTemplate } from './assembly.ts';
import { parseEmulated } from './emulated.ts';
import { resolve } from './intrinsics.ts';
import { createStackScope } from './stack-scope.ts';

export interface Resource {
  /** `<stack>/<logical id>`. */
  path: string;
  type: string;
  /** What CloudFormation names it. */
  name: string;
  arn: string;
  /** What `Ref` gives. */
  reference: string;
  properties: Record<string, unknown>;
}

export interface StackOutput {
  key: string;
  value: string;
  exportName: string | undefined;
}

/** A stack with every intrinsic function resolved and every name decided. */
export interface ResolvedStack {
  stackName: string;
  resources: Resource[];
  outputs: StackOutput[];
  assets: Map<string, string>;
}

/** Where the AWS endpoint and the REST API of this run are. */
export interface Origins {
  awsOrigin: string;
  apiOrigin: string;
}

/** @param templates a stack imports what an earlier one exports. */
export const resolveStacks = (
  templates: readonly StackTemplate[],
  origins: Origins,
): ResolvedStack[] => {
  const exported = new Map<string, string>();
  return templates.map((template) => {
    const stack = resolveStack(template, exported, origins);
    for (const { exportName, value } of stack.outputs) {
      if (exportName) exported.set(exportName, value);
    }
    return stack;
  });
};

const resolveStack = (
  stack: StackTemplate,
  exported: ReadonlyMap<string, string>,
  { awsOrigin, apiOrigin }: Origins,
): ResolvedStack => {
  const { stackName, template, assets } = stack;
  const scope = createStackScope(stack, { awsOrigin, exported });
  const resources = Object.entries(template.Resources).map(
    ([logicalId, { Type, Properties = {} }]) => {
      const path = `${stackName}/${logicalId}`;
      return {
        path,
        type: Type,
        name: scope.physicalName(logicalId),
        arn: scope.attribute(logicalId, 'Arn'),
        reference: scope.reference(logicalId),
        properties: Object.fromEntries(
          Object.entries(Properties).map(([name, value]) => [
            name,
            resolve(value, scope, `${path}.${name}`),
          ]),
        ),
      };
    },
  );
  const outputs = Object.entries(template.Outputs).map(([key, { Value, Export }]) => ({
    key,
    value: localUrl(String(resolve(Value, scope, `${stackName}.${key}`)), apiOrigin),
    exportName: Export?.Name,
  }));
  return { stackName, resources, outputs, assets };
};

/** A REST API's own URL, its stage included, is the API here. */
const localUrl = (value: string, apiOrigin: string): string =>
  value.replace(/^https:\/\/[^/]+\.execute-api\.[^/]+\/[^/]+(?=\/|$)/, apiOrigin);

/**
 * The properties of a resource, by a schema that is strict.
 *
 * @param ignoring properties that mean nothing on one machine
 */
export const parseProperties = <Properties>(
  { path, properties }: Resource,
  schema: z.ZodType<Properties>,
  ignoring: readonly string[] = [],
): Properties => {
  const kept = Object.entries(properties).filter(([name]) => !ignoring.includes(name));
  return parseEmulated(path, schema, Object.fromEntries(kept));
};
