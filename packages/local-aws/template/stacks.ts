import type { z } from 'zod';
import { parseEmulated, type StackTemplate } from './assembly.ts';
import { resolve } from './intrinsics.ts';
import { createStackScope } from './stack-scope.ts';

export interface Resource {
  /** `<stack>/<logical id>`. */
  path: string;
  type: string;
  name: string;
  arn: string;
  reference: string;
  properties: Record<string, unknown>;
}

export interface StackOutput {
  key: string;
  value: string;
  exportName: string | undefined;
}

/** A stack whose intrinsic functions are evaluated and whose resources have their names. */
export interface ResolvedStack {
  stackName: string;
  resources: Resource[];
  outputs: StackOutput[];
  assets: Map<string, string>;
}

export interface Origins {
  awsOrigin: string;
  apiOrigin: string;
  /** The same API over HTTPS, and the environment variables of functions that have this address. */
  secureApi?: { origin: string; variables: readonly string[] } | undefined;
}

/** @param templates in such an order that a stack imports only from earlier stacks */
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
  origins: Origins,
): ResolvedStack => {
  const { apiOrigin, awsOrigin } = origins;
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
            withLocalUrls(resolve(value, scope, `${path}.${name}`), origins),
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

/** Replaces the URL of a REST API in AWS, with its stage, by an origin of the run's API. */
const localUrl = (value: string, origin: string): string =>
  value.replace(/^https:\/\/[^/]+\.execute-api\.[^/]+\/[^/]+(?=\/|$)/, origin);

const withLocalUrls = (value: unknown, { apiOrigin, secureApi }: Origins): unknown =>
  JSON.parse(JSON.stringify(value), (name, member) => {
    if (typeof member !== 'string') return member;
    return localUrl(member, secureApi?.variables.includes(name) ? secureApi.origin : apiOrigin);
  });

/** Parses the properties of a resource but those to ignore. Throws when there are others. */
export const parseProperties = <Properties>(
  { path, properties }: Resource,
  schema: z.ZodType<Properties>,
  ignoring: readonly string[] = [],
): Properties => {
  const kept = Object.entries(properties).filter(([name]) => !ignoring.includes(name));
  return parseEmulated(path, schema, Object.fromEntries(kept));
};
