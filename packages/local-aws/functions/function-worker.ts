// The program of a worker thread, which is the sandbox of a function.
import { openSync, writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import tls from 'node:tls';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { handOverAwsCalls } from './aws-calls.ts';
import type {
  InvocationRequest,
  RunMessage,
  WorkerMessage,
  WorkerSettings,
} from './runtime-messages.ts';

const settings: WorkerSettings = workerData;

/** Appends the output of this thread to a file, instead of handing it to the main thread. */
const printTo = (file: string): void => {
  const log = openSync(file, 'a');
  const append = (chunk: string | Uint8Array): boolean => {
    try {
      writeSync(log, String(chunk));
    } catch {
      // A full disk must not end the run.
    }
    return true;
  };
  process.stdout.write = append;
  process.stderr.write = append;
};

printTo(settings.logFile);

const post = (message: WorkerMessage): void => parentPort?.postMessage(message);

/** The handler's context, filled from the environment as Lambda's runtime does. */
const context = {
  callbackWaitsForEmptyEventLoop: true,
  functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
  functionVersion: process.env.AWS_LAMBDA_FUNCTION_VERSION,
  invokedFunctionArn: settings.arn,
  logGroupName: process.env.AWS_LAMBDA_LOG_GROUP_NAME,
  logStreamName: process.env.AWS_LAMBDA_LOG_STREAM_NAME,
  memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
};

type Handler = (event: unknown, context: unknown) => unknown;

const invoke = async (
  handle: Handler,
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
tls.setDefaultCACertificates([...tls.getCACertificates('default'), settings.caCertificate]);
const receiveAnswer = settings.handsOverAwsCalls
  ? handOverAwsCalls(process.env.AWS_ENDPOINT_URL ?? '', post)
  : undefined;
const { promise: loaded, resolve: isLoaded } = Promise.withResolvers<Handler>();
// Before the import, too: the bundle may call AWS as it loads.
parentPort?.on('message', (message: RunMessage) => {
  if (message.kind === 'invocation') loaded.then((handle) => invoke(handle, message));
  else receiveAnswer?.(message);
});
const bundle = await import(pathToFileURL(settings.file).href);
const handle = bundle[settings.handler];
if (typeof handle !== 'function') {
  throw new Error(`The bundle exports no handler "${settings.handler}"`);
}
isLoaded(handle);
post({ kind: 'ready' });
// For the next sandbox; without this, Node would write it when this one ends.
flushCompileCache();
