import { EventEmitter } from 'node:events';
import dynalite from 'dynalite';
import type { HttpAnswer, HttpRequest } from '../http-server.ts';
import { AwsError } from './answers.ts';

export interface Tables {
  handle(request: Pick<HttpRequest, 'method' | 'headers' | 'body'>): Promise<HttpAnswer>;
  /**
   * Resolves when the table can be used.
   *
   * @param input the input of the operation CreateTable
   */
  create(input: unknown): Promise<void>;
}

/**
 * DynamoDB, emulated by dynalite: in memory and without a socket of its own. With a socket,
 * dynalite ends the process when a client goes away in the middle of a body or sends unexpected
 * JSON. So dynalite gets whole requests, and its exceptions are caught.
 */
export const createTables = (): Tables => {
  const server = dynalite({ createTableMs: 0, deleteTableMs: 0 });
  const handle: Tables['handle'] = ({ method, headers, body }) =>
    new Promise((resolve, reject) => {
      const request = Object.assign(new EventEmitter(), { method, headers, url: '/' });
      try {
        server.emit('request', request, new CollectedResponse(resolve));
        if (body.length > 0) request.emit('data', body);
        request.emit('end');
      } catch {
        reject(new AwsError('SerializationException', 'The request cannot be read.'));
      }
    });
  return {
    handle,
    create: async (input) => {
      const { TableDescription } = await call(handle, 'CreateTable', input);
      const { TableName } = TableDescription as { TableName: string };
      // dynalite answers first, and makes the table usable in later turns of the event loop.
      for (let status = ''; status !== 'ACTIVE'; ) {
        await new Promise((resolve) => setImmediate(resolve));
        const { Table } = await call(handle, 'DescribeTable', { TableName });
        status = (Table as { TableStatus: string }).TableStatus;
      }
    },
  };
};

const call = async (
  handle: Tables['handle'],
  operation: string,
  input: unknown,
): Promise<Record<string, unknown>> => {
  const answer = await handle({
    method: 'POST',
    headers: { ...SIGNED, 'x-amz-target': `DynamoDB_20120810.${operation}` },
    body: Buffer.from(JSON.stringify(input)),
  });
  if (answer.status !== 200) throw new Error(`${operation}: ${answer.body}`);
  return JSON.parse(String(answer.body));
};

/** dynalite checks that a request is signed, but not who signed. */
const SIGNED = {
  'content-type': 'application/x-amz-json-1.0',
  'x-amz-date': '20000101T000000Z',
  authorization: 'AWS4-HMAC-SHA256 Credential=local, SignedHeaders=host, Signature=local',
};

/** The part of a ServerResponse that dynalite uses. */
class CollectedResponse {
  statusCode = 200;
  contentType = '';
  readonly #headers: [string, string][] = [];
  readonly #resolve: (answer: HttpAnswer) => void;

  constructor(resolve: (answer: HttpAnswer) => void) {
    this.#resolve = resolve;
  }

  setHeader(name: string, value: string | number): void {
    if (!/^(content-length|transfer-encoding)$/i.test(name)) {
      this.#headers.push([name, String(value)]);
    }
  }

  end(body = ''): void {
    this.#resolve({ status: this.statusCode, headers: this.#headers, body });
  }
}
