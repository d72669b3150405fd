import { join } from 'node:path';
import { z } from 'zod';
import { parseProperties, type Resource } from '../template/stacks.ts';

export interface FunctionSettings {
  name: string;
  arn: string;
  /** The bundled module, and the name it exports the handler by. */
  file: string;
  handler: string;
  environment: Record<string, string>;
  timeoutMs: number;
  memoryMb: number;
  /** Invocations at a time. */
  concurrency: number;
  /** How often an asynchronous invocation that fails is made again, and the queue it ends in. */
  retries: number;
  failureDestinationArn?: string | undefined;
}

// Enough for one machine to show that batches and requests do run side by side.
const LOCAL_CONCURRENCY = 4;
/** What Lambda does when nothing is said. */
const DEFAULT_RETRIES = 2;

const Properties = z.strictObject({
  Code: z.object({ S3Key: z.string() }),
  Environment: z.strictObject({ Variables: z.record(z.string(), z.string()) }).optional(),
  Handler: z.string(),
  MemorySize: z.number(),
  Timeout: z.number(),
});

const IGNORED = [
  'Architectures',
  'Description',
  'FunctionName',
  'LoggingConfig',
  'RecursiveLoop',
  'Role',
  'Runtime',
  'Tags',
];

const InvokeConfig = z.strictObject({
  FunctionName: z.string(),
  DestinationConfig: z.strictObject({ OnFailure: z.strictObject({ Destination: z.string() }) }),
  MaximumRetryAttempts: z.number(),
  Qualifier: z.literal('$LATEST'),
});

/** What the settings of a function are read from beside its own resource. */
export interface FunctionSources {
  assets: ReadonlyMap<string, string>;
  /** The `AWS::Lambda::EventInvokeConfig`s. */
  invokeConfigs: readonly Resource[];
}

export const functionSettings = (
  resource: Resource,
  { assets, invokeConfigs }: FunctionSources,
): FunctionSettings => {
  const { arn, name, path } = resource;
  const properties = parseProperties(resource, Properties, IGNORED);
  const [module = '', handler = ''] = properties.Handler.split('.');
  const directory = assets.get(properties.Code.S3Key);
  if (!directory) throw new Error(`${path}: the assembly has no asset ${properties.Code.S3Key}`);
  const invokeConfig = invokeConfigs
    .map((config) => parseProperties(config, InvokeConfig))
    .find(({ FunctionName }) => FunctionName === name);
  return {
    name,
    arn,
    file: join(directory, `${module}.mjs`),
    handler,
    environment: properties.Environment?.Variables ?? {},
    timeoutMs: properties.Timeout * 1_000,
    memoryMb: properties.MemorySize,
    concurrency: LOCAL_CONCURRENCY,
    retries: invokeConfig?.MaximumRetryAttempts ?? DEFAULT_RETRIES,
    failureDestinationArn: invokeConfig?.DestinationConfig.OnFailure.Destination,
  };
};
