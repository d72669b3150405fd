import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { REGION } from '../arn.ts';
import { parseProperties, type Resource } from '../template/stacks.ts';

export interface FunctionSettings {
  name: string;
  arn: string;
  role: string;
  file: string;
  handler: string;
  environment: Record<string, string>;
  timeoutMs: number;
  memoryMb: number;
  /** The most sandboxes that compute at once. */
  computing: number;
  /** The most sandboxes, of which the others wait, such as for a slow endpoint. */
  concurrency: number;
  /** Of the account in AWS; undefined if the function shares what others do not reserve. */
  reservedConcurrency?: number | undefined;
}

/** Batches and requests run side by side, as far as the machine can compute side by side. */
const COMPUTING = Math.min(4, Math.max(2, availableParallelism()));
/** A sandbox that waits takes some 20 MB, and no processor. */
const LOCAL_CONCURRENCY = 24;

const Properties = z.strictObject({
  Code: z.object({ S3Key: z.string() }),
  Environment: z.strictObject({ Variables: z.record(z.string(), z.string()) }).optional(),
  Handler: z.string(),
  MemorySize: z.number(),
  ReservedConcurrentExecutions: z.number().optional(),
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
  // No daemon receives traces on this machine.
  'TracingConfig',
];

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
    computing: COMPUTING,
    concurrency: LOCAL_CONCURRENCY,
    reservedConcurrency: properties.ReservedConcurrentExecutions,
  };
};

/** As in Lambda, and nothing from this machine. Only AWS_ENDPOINT_URL is added, and NODE_COMPILE_CACHE. */
export const functionEnvironment = (
  { name, file, handler, memoryMb, environment }: FunctionSettings,
  awsOrigin: string,
): Record<string, string> => ({
  ...environment,
  PATH: '/usr/local/bin:/usr/bin:/bin',
  LANG: 'en_US.UTF-8',
  TZ: ':UTC',
  _HANDLER: `index.${handler}`,
  LAMBDA_TASK_ROOT: dirname(file),
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  AWS_REGION: REGION,
  AWS_DEFAULT_REGION: REGION,
  // The AWS endpoint knows by it whose role a call is made with (local/iam/).
  AWS_ACCESS_KEY_ID: name,
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_SESSION_TOKEN: 'local',
  AWS_ENDPOINT_URL: awsOrigin,
  AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
  AWS_LAMBDA_FUNCTION_NAME: name,
  AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
  AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${name}`,
  AWS_LAMBDA_LOG_STREAM_NAME: 'local',
});
