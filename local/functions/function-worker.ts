// The program of a worker thread, which is the sandbox of a function.
import { enableCompileCache, flushCompileCache } from 'node:module';
import tls from 'node:tls';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { printTo } from './function-log.ts';
import type { InvocationRequest, WorkerMessage, WorkerSettings } from './runtime-messages.ts';

const { arn, file, handler, logFile, compiledDirectory, caCertificate }: WorkerSettings =
  workerData;
printTo(logFile);

const post = (message: WorkerMessage): void => parentPort?.postMessage(message);

/** The handler's context, filled from the environment as Lambda's runtime does. */
const context = {
  callbackWaitsForEmptyEventLoop: true,
  functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
  functionVersion: process.env.AWS_LAMBDA_FUNCTION_VERSION,
  invokedFunctionArn: arn,
  logGroupName: process.env.AWS_LAMBDA_LOG_GROUP_NAME,
  logStreamName: process.env.AWS_LAMBDA_LOG_STREAM_NAME,
  memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
};

const invoke = async (
  handle: (event: unknown, context: unknown) => unknown,
  { event, awsRequestId, deadlineAt }: InvocationRequest,
): Promise<void> => {
  try {
    const result = await handle(JSON.parse(event), {
      ...context,
      awsRequestId,
      getRemainingTimeInMillis: () => Math.max(0, deadlineAt - Date.now()),
    });
    post({ kind: 'result', result: JSON.stringify(result) ?? 'null' });
  } catch (error) {
    const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
    post({ kind: 'failure', name, message, stack });
  }
};

// Before the import of the bundle: the bundle may open connections, or copy the list, as it loads.
tls.setDefaultCACertificates([...tls.getCACertificates('default'), caCertificate]);
// Lambda has no such cache. Here a sandbox of a function that has had one takes 30 ms of CPU less.
enableCompileCache(compiledDirectory);
const bundle = await import(pathToFileURL(file).href);
flushCompileCache();
const handle = bundle[handler];
if (typeof handle !== 'function') throw new Error(`The bundle exports no handler "${handler}"`);
parentPort?.on('message', (request: InvocationRequest) => invoke(handle, request));
post({ kind: 'ready' });
