import { createHash } from 'node:crypto';
import type { StackTemplate } from './assembly.ts';
import { notEmulated } from './emulated.ts';
import type { Scope } from './intrinsics.ts';
import { RESOURCE_TYPES } from './resource-types.ts';

export interface StackScope extends Scope {
  physicalName(logicalId: string): string;
}

export interface StackScopeOptions {
  awsOrigin: string;
  /** The exports of earlier stacks, by export name. */
  exported: ReadonlyMap<string, string>;
}

/** The values of the names in a template. */
export const createStackScope = (
  { stackName, template }: StackTemplate,
  { awsOrigin, exported }: StackScopeOptions,
): StackScope => {
  const read = (logicalId: string) => {
    const path = `${stackName}/${logicalId}`;
    const resource = template.Resources[logicalId];
    if (!resource) throw notEmulated(path, 'a name that is no resource of the stack');
    const type = RESOURCE_TYPES[resource.Type];
    if (!type) throw notEmulated(path, resource.Type);
    const { maximumNameLength = 255, nameProperty = '' } = type;
    const { FifoQueue, [nameProperty]: chosen } = resource.Properties ?? {};
    if (typeof chosen === 'string') return { path, type, name: chosen };
    if (chosen !== undefined) throw notEmulated(`${path}.${nameProperty}`, 'a computed name');
    const suffix = FifoQueue === true ? '.fifo' : '';
    const name = shortened(`${stackName}-${logicalId}`, maximumNameLength - suffix.length);
    return { path, type, name: name + suffix };
  };
  return {
    physicalName: (logicalId) => read(logicalId).name,
    reference: (logicalId) => {
      const { type, name } = read(logicalId);
      return type.reference?.(name, awsOrigin) ?? name;
    },
    attribute: (logicalId, attribute) => {
      const { path, type, name } = read(logicalId);
      if (attribute === 'Arn') return type.arn?.(name) ?? name;
      const value = type.attributes?.(name)[attribute];
      if (value === undefined) throw notEmulated(path, `the attribute ${attribute}`);
      return value;
    },
    importedValue: (exportName) => {
      const value = exported.get(exportName);
      if (value === undefined)
        throw new Error(`No stack before ${stackName} exports ${exportName}`);
      return value;
    },
  };
};

/** A hash makes the name the same at every start, so that URLs and log files keep their names. */
const shortened = (wanted: string, maximumLength: number): string => {
  if (wanted.length <= maximumLength) return wanted;
  const hash = createHash('sha256').update(wanted).digest('hex').slice(0, 12);
  return `${wanted.slice(0, maximumLength - hash.length - 1)}-${hash}`;
};
