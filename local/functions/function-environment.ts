import { dirname } from 'node:path';
import { REGION } from '../arn.ts';
import type { FunctionSettings } from './function-settings.ts';

/**
 * The environment variables of a deployed function: from the template and from Lambda, and none
 * from this machine. Only AWS_ENDPOINT_URL is added.
 */
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
