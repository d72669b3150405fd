import { EventEmitter } from 'node:events';
import type { OutgoingHttpHeaders } from 'node:http';
import http from '../../adapters/aws-sdk/required-http.ts';
import type { AwsAnswer, AwsCall, AwsCallEnd, WorkerMessage } from './runtime-messages.ts';

/** The options of `http.request` that the SDK sets for a call of AWS. */
interface CallOptions {
  readonly host: string;
  readonly port: number;
  readonly method: string;
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
}

type OnResponse = (response: object) => void;

export interface AwsCalls {
  /** Gives the run's answer to its call, unless the call has ended. */
  receive(answer: AwsAnswer | AwsCallEnd): void;
}

/**
 * Has this sandbox's SDK clients send their requests as messages instead of through sockets: the
 * same requests, signed by the same code. Other requests stay HTTP. Before any client's first call.
 *
 * @param origin where the run answers calls of AWS
 */
export const handOverAwsCalls = (
  origin: string,
  post: (message: WorkerMessage) => void,
): AwsCalls => {
  const { hostname, port } = new URL(origin);
  const open = new Map<number, OpenCall>();
  let calls = 0;
  const start = ({ method, path, headers }: CallOptions, onResponse: OnResponse): OpenCall => {
    calls += 1;
    const id = calls;
    const call = new OpenCall({
      send: (body) => post({ kind: 'call', id, method, path, headers, body: aloneInMemory(body) }),
      onResponse,
      onEnd: (isAnswered) => {
        open.delete(id);
        if (!isAnswered) post({ kind: 'callEnd', id });
      },
    });
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
  return {
    receive: (message) => {
      const call = open.get(message.id);
      if (message.kind === 'answer') call?.answer(message);
      else call?.destroy(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }));
    },
  };
};

/**
 * A message takes the whole memory that a body is a part of along: with the SDK, that is Node's pool
 * of 64 KiB for each small body.
 */
const aloneInMemory = (body: AwsCall['body']): AwsCall['body'] =>
  body instanceof Uint8Array ? new Uint8Array(body) : body;

interface CallHandling {
  readonly send: (body: AwsCall['body']) => void;
  readonly onResponse: OnResponse;
  readonly onEnd: (isAnswered: boolean) => void;
}

/** The part of Node's ClientRequest that the SDK's HTTP handler uses. */
class OpenCall extends EventEmitter {
  /** Connected from the start, and with nothing that could time out but the call. */
  readonly socket = {
    connecting: false,
    removeListener: () => {},
    setKeepAlive: () => {},
    setTimeout: () => {},
  };
  readonly #handling: CallHandling;
  #isOver = false;

  constructor(handling: CallHandling) {
    super();
    this.#handling = handling;
  }

  end(body?: AwsCall['body']): void {
    if (!this.#isOver) this.#handling.send(body);
  }

  destroy(error?: Error): void {
    if (!this.#over(false)) return;
    if (error) this.emit('error', error);
    this.emit('close');
  }

  answer({ status, headers, body }: AwsAnswer): void {
    if (!this.#over(true)) return;
    // The SDK's collector of bodies takes bytes as well as a stream, which costs more.
    const response = Object.assign(Buffer.from(body), { statusCode: status, headers });
    this.#handling.onResponse(response);
    this.emit('close');
  }

  #over(isAnswered: boolean): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#handling.onEnd(isAnswered);
    return true;
  }
}
