import { EventEmitter } from 'node:events';
import type Http from 'node:http';
import type { OutgoingHttpHeaders } from 'node:http';
import { createRequire } from 'node:module';
import type { AwsAnswer, AwsCall } from './runtime-messages.ts';

/** An `import` would read every export: 10 ms, because some load Node's `fetch`. */
const http: typeof Http = createRequire(import.meta.url)('node:http');

/** The options of `http.request` that the SDK sets for a call of AWS. */
interface CallOptions {
  readonly host: string;
  readonly port: number;
  readonly method: string;
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
}

type OnResponse = (response: object) => void;

/**
 * Makes the SDK clients of this sandbox send the same signed requests as messages to the run at the
 * origin. Call it before any client's first call. Returns a function that must get each answer.
 */
export const handOverAwsCalls = (
  origin: string,
  post: (call: AwsCall) => void,
): ((answer: AwsAnswer) => void) => {
  const { hostname, port } = new URL(origin);
  const open = new Map<number, OpenCall>();
  let calls = 0;
  const start = ({ method, path, headers }: CallOptions, onResponse: OnResponse): OpenCall => {
    calls += 1;
    const id = calls;
    const call = new OpenCall(
      (body) => post({ kind: 'call', id, method, path, headers, body: aloneInMemory(body) }),
      onResponse,
    );
    open.set(id, call);
    return call;
  };
  const { request } = http;
  // The SDK's handler takes the function from this object, when a client makes its first call.
  Object.assign(http, {
    request: (...args: Parameters<typeof request>) => {
      const [options, onResponse] = args as unknown as [CallOptions, OnResponse];
      const isAws = options.host === hostname && String(options.port) === port;
      return isAws ? start(options, onResponse) : request(...args);
    },
  });
  return ({ id, response }) => {
    open.get(id)?.receive(response);
    open.delete(id);
  };
};

/** A message copies the whole memory of a body: with the SDK, a pool of 64 KiB. */
const aloneInMemory = (body: AwsCall['body']): AwsCall['body'] =>
  body instanceof Uint8Array ? new Uint8Array(body) : body;

/** The part of Node's ClientRequest that the SDK's HTTP handler uses. */
class OpenCall extends EventEmitter {
  /** Connected from the start, and without timeouts. */
  readonly socket = {
    connecting: false,
    removeListener: () => {},
    setKeepAlive: () => {},
    setTimeout: () => {},
  };
  readonly end: (body?: AwsCall['body']) => void;
  readonly #onResponse: OnResponse;
  #isOver = false;

  constructor(send: (body: AwsCall['body']) => void, onResponse: OnResponse) {
    super();
    this.end = send;
    this.#onResponse = onResponse;
  }

  destroy(error?: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (error) this.emit('error', error);
    this.emit('close');
  }

  /** Without a response, the call ends as when its connection breaks. */
  receive(response: AwsAnswer['response']): void {
    if (this.#isOver) return;
    if (response === undefined) {
      this.destroy(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }));
      return;
    }
    const { status, headers, body } = response;
    // The SDK's collector of bodies takes bytes as well as a stream, which costs more.
    this.#onResponse(Object.assign(Buffer.from(body), { statusCode: status, headers }));
    this.destroy();
  }
}
