import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import type { SQSBatchResponse } from 'aws-lambda';

export interface InstantAws {
  readonly endpoint: string;
  close(): void;
}

/** AWS that answers at once and keeps nothing: by operation, `{}` where there is no answer. */
export const startInstantAws = async (
  answerTo: Record<string, (body: string) => unknown>,
): Promise<InstantAws> => {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(JSON.stringify(answerTo[operation]?.(body) ?? {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { endpoint: `http://127.0.0.1:${port}`, close: () => server.close() };
};

/**
 * Runs a program that invokes a function once, with half of the function's memory for the heap of
 * JavaScript. The other half is left for buffers, code and Node itself.
 */
export const runInMemory = async (
  program: URL,
  { memoryMb, aws, env = {} }: { memoryMb: number; aws: InstantAws; env?: NodeJS.ProcessEnv },
): Promise<{ response: SQSBatchResponse; mostMiB: number }> => {
  const { stderr } = await promisify(execFile)(
    process.execPath,
    [`--max-old-space-size=${memoryMb / 2}`, program.pathname],
    {
      env: {
        AWS_ENDPOINT_URL: aws.endpoint,
        AWS_REGION: 'eu-central-1',
        AWS_ACCESS_KEY_ID: 'local',
        AWS_SECRET_ACCESS_KEY: 'local',
        // The memory is limited here, not the time: a busy machine answers late.
        AWS_CALL_TIMEOUT_MS: '300000',
        ...env,
      },
    },
  );
  return JSON.parse(stderr);
};
