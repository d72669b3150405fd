import type { StackTemplate } from './assembly.ts';
import { resolve, type Scope } from './intrinsics.ts';
import { createStackScope } from './stack-scope.ts';

export interface Resource {
  logicalId: string;
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
  description?: string;
  exportName?: string;
}

/** A stack with every intrinsic function resolved and every name decided. */
export interface ResolvedStack {
  stackName: string;
  resources: Resource[];
  outputs: StackOutput[];
  assets: Map<string, string>;
}

/** @param templates in dependency order: a stack imports what an earlier one exports. */
export const resolveStacks = (
  templates: readonly StackTemplate[],
  origins: Origins,
): ResolvedStack[] => {
  const exported = new Map<string, string>();
  return templates.map((template) => {
    const stack = resolveStack(template, { ...origins, exported });
    for (const { exportName, value } of stack.outputs) {
      if (exportName) exported.set(exportName, value);
    }
    return stack;
  });
};

/** Where the AWS endpoint and the REST API of this run are. */
export interface Origins {
  awsOrigin: string;
  apiOrigin: string;
}

interface Surroundings extends Origins {
  exported: ReadonlyMap<string, string>;
}

const resolveStack = (stack: StackTemplate, surroundings: Surroundings): ResolvedStack => {
  const { stackName, template, assets } = stack;
  const scope = createStackScope(stack, surroundings);
  const applies = ({ Condition }: { Condition?: string | undefined }) =>
    Condition === undefined || scope.condition(Condition);
  const resources = Object.entries(template.Resources)
    .filter(([, resource]) => applies(resource))
    .map(([logicalId, { Type, Properties }]) => ({
      logicalId,
      type: Type,
      name: scope.physicalName(logicalId),
      arn: scope.arn(logicalId),
      reference: scope.reference(logicalId),
      properties: resolveProperties(Properties, scope, `${stackName}/${logicalId}`),
    }));
  const outputs = Object.entries(template.Outputs)
    .filter(([, output]) => applies(output))
    .map(([key, { Value, Description, Export }]) => ({
      key,
      value: localUrl(String(resolve(Value, scope)), surroundings),
      ...(Description !== undefined && { description: Description }),
      ...(Export && { exportName: String(resolve(Export.Name, scope)) }),
    }));
  return { stackName, resources, outputs, assets };
};

/** A REST API's own URL, its stage included, is the API here. */
const localUrl = (value: string, { apiOrigin }: Origins): string =>
  value.replace(/^https:\/\/[^/]+\.execute-api\.[^/]+\/[^/]+(?=\/|$)/, apiOrigin);

const resolveProperties = (
  properties: Record<string, unknown>,
  scope: Scope,
  where: string,
): Record<string, unknown> => {
  try {
    return Object.fromEntries(
      Object.entries(properties)
        .map(([name, value]) => [name, resolve(value, scope)] as const)
        .filter(([, value]) => value !== undefined),
    );
  } catch (error) {
    throw new Error(`${where}: ${error instanceof Error ? error.message : error}`);
  }
};
