import { createHash } from 'node:crypto';
import type { StackTemplate } from './assembly.ts';
import { resolve, type Scope } from './intrinsics.ts';
import { type ResourceType, resourceType } from './resource-types.ts';

export interface StackScope extends Scope {
  reference(logicalId: string): string;
  physicalName(logicalId: string): string;
  arn(logicalId: string): string;
}

export interface StackScopeOptions {
  awsOrigin: string;
  /** By export name, of the stacks before this one. */
  exported: ReadonlyMap<string, string>;
}

/** What the names in a template stand for. */
export const createStackScope = (
  stack: StackTemplate,
  { awsOrigin, exported }: StackScopeOptions,
): StackScope => {
  const { stackName, template } = stack;
  const typeOf = (logicalId: string) => typeOfResource(stack, logicalId);
  const scope: StackScope = {
    stackName,
    physicalName: (logicalId) => physicalName(logicalId, { stack, scope }),
    arn: (logicalId) => {
      const name = scope.physicalName(logicalId);
      return typeOf(logicalId).arn?.(name) ?? name;
    },
    reference: (logicalId) => {
      const parameter = template.Parameters[logicalId];
      if (parameter) return String(parameter.Default);
      const name = scope.physicalName(logicalId);
      return typeOf(logicalId).reference?.(name, awsOrigin) ?? name;
    },
    attribute: (logicalId, attribute) => {
      if (attribute === 'Arn') return scope.arn(logicalId);
      const name = scope.physicalName(logicalId);
      const value = typeOf(logicalId).attributes?.(name, awsOrigin)[attribute];
      if (value === undefined) throw new Error(`${logicalId}.${attribute} is not emulated`);
      return value;
    },
    importedValue: (exportName) => {
      const value = exported.get(exportName);
      if (value === undefined) throw new Error(`No stack exports ${exportName}`);
      return value;
    },
    condition: (name) => resolve(template.Conditions[name], scope) === true,
  };
  return scope;
};

const typeOfResource = (
  { stackName, template }: StackTemplate,
  logicalId: string,
): ResourceType => {
  const type = template.Resources[logicalId]?.Type;
  if (type === undefined) throw new Error(`${stackName} has no resource ${logicalId}`);
  const known = resourceType(type);
  if (!known) throw new Error(`${stackName}/${logicalId}: ${type} is not emulated`);
  return known;
};

const physicalName = (
  logicalId: string,
  { stack, scope }: { stack: StackTemplate; scope: Scope },
): string => {
  const { nameProperty, maximumNameLength = 255 } = typeOfResource(stack, logicalId);
  const properties = stack.template.Resources[logicalId]?.Properties ?? {};
  const explicit = nameProperty && resolve(properties[nameProperty], scope);
  if (typeof explicit === 'string') return explicit;
  const suffix = properties.FifoQueue === true ? '.fifo' : '';
  const wanted = `${stack.stackName}-${logicalId}`;
  return shortened(wanted, maximumNameLength - suffix.length) + suffix;
};

/** Like CloudFormation's, but the same at every start, so that URLs and log files keep their names. */
const shortened = (wanted: string, maximumLength: number): string => {
  if (wanted.length <= maximumLength) return wanted;
  const hash = createHash('sha256').update(wanted).digest('hex').slice(0, 12);
  return `${wanted.slice(0, maximumLength - hash.length - 1)}-${hash}`;
};
