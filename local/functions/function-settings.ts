import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Resource } from '../template/stacks.ts';

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
  /** What becomes of an asynchronous invocation that fails. */
  retries: number;
  deadLetterArn?: string | undefined;
  failureDestinationArn?: string | undefined;
}

// Enough for one machine to show that batches and requests do run side by side.
const LOCAL_CONCURRENCY = 4;
/** What Lambda does when nothing is said. */
const DEFAULT_RETRIES = 2;

const Properties = z.object({
  Code: z.object({ S3Key: z.string() }, { error: 'is not an asset' }),
  Handler: z.string(),
  Environment: z.object({ Variables: z.record(z.string(), z.string()).default({}) }).optional(),
  Timeout: z.coerce.number().default(3),
  MemorySize: z.coerce.number().default(128),
  ReservedConcurrentExecutions: z.coerce.number().min(1).optional(),
  DeadLetterConfig: z.object({ TargetArn: z.string().optional() }).optional(),
});

const InvokeConfig = z.object({
  FunctionName: z.string(),
  MaximumRetryAttempts: z.coerce.number().optional(),
  DestinationConfig: z
    .object({ OnFailure: z.object({ Destination: z.string() }).optional() })
    .optional(),
});

export interface FunctionSurroundings {
  assets: ReadonlyMap<string, string>;
  /** The `AWS::Lambda::EventInvokeConfig`s of the stack. */
  invokeConfigs: readonly Resource[];
}

export const functionSettings = (
  { name, arn, properties }: Resource,
  { assets, invokeConfigs }: FunctionSurroundings,
): FunctionSettings => {
  const parsed = Properties.parse(properties);
  const [module = '', handler = ''] = splitAtLast(parsed.Handler, '.');
  const directory = assets.get(parsed.Code.S3Key);
  if (!directory) throw new Error(`${name}: the assembly has no asset ${parsed.Code.S3Key}`);
  const invokeConfig = invokeConfigs
    .map((resource) => InvokeConfig.parse(resource.properties))
    .find(({ FunctionName }) => [name, arn].includes(FunctionName));
  return {
    name,
    arn,
    file: moduleFile(join(directory, module)),
    handler,
    environment: parsed.Environment?.Variables ?? {},
    timeoutMs: parsed.Timeout * 1_000,
    memoryMb: parsed.MemorySize,
    concurrency: Math.min(parsed.ReservedConcurrentExecutions ?? Infinity, LOCAL_CONCURRENCY),
    retries: invokeConfig?.MaximumRetryAttempts ?? DEFAULT_RETRIES,
    deadLetterArn: parsed.DeadLetterConfig?.TargetArn,
    failureDestinationArn: invokeConfig?.DestinationConfig?.OnFailure?.Destination,
  };
};

const moduleFile = (path: string): string => {
  const file = ['.mjs', '.js', '.cjs']
    .map((extension) => path + extension)
    .find((candidate) => existsSync(candidate));
  if (!file) throw new Error(`There is no module ${path}`);
  return file;
};

const splitAtLast = (text: string, separator: string): [string, string] => {
  const at = text.lastIndexOf(separator);
  return [text.slice(0, at), text.slice(at + 1)];
};
