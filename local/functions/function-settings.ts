import { join } from 'node:path';
import { z } from 'zod';
import { parseProperties, type Resource } from '../template/stacks.ts';

export interface FunctionSettings {
  name: string;
  arn: string;
  /** ARN. */
  role: string;
  /** Absolute path of the bundled module. */
  file: string;
  /** Name of the module's export that is the handler. */
  handler: string;
  environment: Record<string, string>;
  timeoutMs: number;
  memoryMb: number;
  /** The most invocations at a time. */
  concurrency: number;
}

// Enough to run batches and requests side by side, and not too much for one machine.
const LOCAL_CONCURRENCY = 4;

const Properties = z.strictObject({
  Code: z.object({ S3Key: z.string() }),
  Environment: z.strictObject({ Variables: z.record(z.string(), z.string()) }).optional(),
  Handler: z.string(),
  MemorySize: z.number(),
  Role: z.string(),
  Timeout: z.number(),
});

const IGNORED = [
  'Architectures',
  'Description',
  'FunctionName',
  'LoggingConfig',
  'RecursiveLoop',
  'Runtime',
  'Tags',
  // Nothing listens for traces on this machine: a function that sends them sends them to nobody.
  'TracingConfig',
];

/** @param assets absolute paths of directories, by S3 object key */
export const functionSettings = (
  resource: Resource,
  assets: ReadonlyMap<string, string>,
): FunctionSettings => {
  const { arn, name, path } = resource;
  const properties = parseProperties(resource, Properties, IGNORED);
  const [module = '', handler = ''] = properties.Handler.split('.');
  const directory = assets.get(properties.Code.S3Key);
  if (!directory) throw new Error(`${path}: the assembly has no asset ${properties.Code.S3Key}`);
  return {
    name,
    arn,
    role: properties.Role,
    file: join(directory, `${module}.mjs`),
    handler,
    environment: properties.Environment?.Variables ?? {},
    timeoutMs: properties.Timeout * 1_000,
    memoryMb: properties.MemorySize,
    concurrency: LOCAL_CONCURRENCY,
  };
};
