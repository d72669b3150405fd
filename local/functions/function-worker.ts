// Runs in a worker thread of its own, as a function runs in a sandbox of its own.
import tls from 'node:tls';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import type { InvocationRequest, WorkerMessage, WorkerSettings } from './runtime-messages.ts';

const { file, handler, caCertificate }: WorkerSettings = workerData;

const post = (message: WorkerMessage): void => parentPort?.postMessage(message);

const invoke = async (
  handle: (event: unknown, context: unknown) => unknown,
  { event, context, deadlineAt }: InvocationRequest,
): Promise<void> => {
  try {
    const result = await handle(JSON.parse(event), {
      ...context,
      callbackWaitsForEmptyEventLoop: true,
      getRemainingTimeInMillis: () => Math.max(0, deadlineAt - Date.now()),
    });
    post({ kind: 'result', result: JSON.stringify(result) ?? 'null' });
  } catch (error) {
    const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
    post({ kind: 'failure', name, message, stack });
  }
};

// Before the bundle is imported: it may open connections, or copy the list, as it loads.
tls.setDefaultCACertificates([...tls.getCACertificates('default'), caCertificate]);
const bundle = await import(pathToFileURL(file).href);
const handle = bundle[handler];
if (typeof handle !== 'function') throw new Error(`The bundle exports no handler "${handler}"`);
parentPort?.on('message', (request: InvocationRequest) => invoke(handle, request));
post({ kind: 'ready' });
