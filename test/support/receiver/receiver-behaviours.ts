import { STATUS_CODES } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { carries } from './received-deliveries.ts';
import type { ReceivedRequest } from './received-requests.ts';

/** One connection as a behaviour may use it. */
export interface ReceiverConnection {
  write(data: string | Buffer): void;
  /** Sends the data that is left, then closes in good order. */
  end(data?: string): void;
  /** TCP reset: nothing more is sent, not even the end of TLS. */
  reset(): void;
  /** Resolves when the client takes more; false when it has gone. */
  writable(): Promise<boolean>;
}

/** The treatment of a request that has arrived whole. */
export type Behaviour = (
  connection: ReceiverConnection,
  request: ReceivedRequest,
) => void | Promise<void>;

type Headers = Readonly<Record<string, string | number>>;

const head = (status: number, headers: Headers, version = '1.1'): string =>
  [
    `HTTP/${version} ${status} ${STATUS_CODES[status] ?? 'Unheard Of'}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n');

/** Any status, with headers and a body; the connection stays open. */
export const answer =
  (
    status: number,
    { headers = {}, body = '' }: { headers?: Headers; body?: string | Buffer } = {},
  ): Behaviour =>
  (connection) => {
    const hasNoBody = status < 200 || status === 204 || status === 304;
    const length: Headers = hasNoBody ? {} : { 'Content-Length': Buffer.byteLength(body) };
    connection.write(
      Buffer.concat([Buffer.from(head(status, { ...length, ...headers })), Buffer.from(body)]),
    );
  };

/** Refuses one event with 400 every time, and confirms every other. */
export const refuseOnly =
  (event: { id: string }): Behaviour =>
  (connection, request) =>
    answer(carries(event)(request) ? 400 : 200)(connection, request);

export const redirect = (location: string, status = 302): Behaviour =>
  answer(status, { headers: { Location: location } });

/** Takes the request and never says anything. */
export const hang: Behaviour = () => {};

export const halfAHead: Behaviour = (connection) =>
  connection.write('HTTP/1.1 200 OK\r\nContent-Type: te');

export const reset: Behaviour = (connection) => connection.reset();

/** The client has read the data before the reset comes. */
const resetAfter =
  (data: string): Behaviour =>
  async (connection) => {
    connection.write(data);
    await delay(50);
    connection.reset();
  };

export const resetWithinHead = resetAfter('HTTP/1.1 200 OK\r\nContent-Type: te');

export const resetWithinBody = resetAfter('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nso far');

/** Closes a connection that the answer lets the client use again. */
export const answerThenClose: Behaviour = (connection, request) => {
  answer(200)(connection, request);
  connection.end();
};

export const closeWithoutAnswer: Behaviour = (connection) => connection.end();

/** Writes as fast as the client reads, for as long as it does. */
export const floodWithoutEnd: Behaviour = async (connection) => {
  connection.write(head(200, { 'Transfer-Encoding': 'chunked' }));
  const chunk = `${(4_096).toString(16)}\r\n${'x'.repeat(4_096)}\r\n`;
  while (await connection.writable()) connection.write(chunk);
};

/** The head and the first bytes of a body that is never finished. */
export const trickle: Behaviour = (connection) => {
  connection.write(head(200, { 'Content-Length': 1_000 }));
  connection.write('drip');
};

/** Nothing at first. */
export const late =
  (then: Behaviour, { afterMs }: { afterMs: number }): Behaviour =>
  async (connection, request) => {
    await delay(afterMs);
    return then(connection, request);
  };

/** The head at once, the body later. */
export const lateBody =
  (status: number, body: string, { afterMs }: { afterMs: number }): Behaviour =>
  async (connection) => {
    connection.write(head(status, { 'Content-Length': Buffer.byteLength(body) }));
    await delay(afterMs);
    connection.write(body);
  };

/** A body that ends before the length its head announced. */
export const cutOffBody: Behaviour = (connection) =>
  connection.end(`${head(200, { 'Content-Length': 1_000 })}all there is`);

/** A head of 64 KiB. */
export const hugeHeaders: Behaviour = (connection) =>
  connection.end(head(200, { 'X-Filler': 'x'.repeat(65_536), 'Content-Length': 0 }));

/** Whatever bytes the test likes, then the end. */
export const raw =
  (bytes: string): Behaviour =>
  (connection) =>
    connection.end(bytes);

/** Whatever bytes the test likes; the connection stays open. */
export const bytes =
  (data: string): Behaviour =>
  (connection) =>
    connection.write(data);

/** One after the other. */
export const both =
  (first: Behaviour, second: Behaviour): Behaviour =>
  async (connection, request) => {
    await first(connection, request);
    await second(connection, request);
  };

/** Switches to a protocol that the client did not ask for. */
export const upgrade: Behaviour = (connection) =>
  connection.write(head(101, { Connection: 'Upgrade', Upgrade: 'websocket' }));

/** An interim head, then the final answer. */
export const interimThen =
  (interim: number, then: Behaviour): Behaviour =>
  (connection, request) => {
    connection.write(head(interim, interim === 103 ? { Link: '</style.css>; rel=preload' } : {}));
    return then(connection, request);
  };

/** Interim heads as fast as the client reads, and never an answer. */
export const interimWithoutEnd: Behaviour = async (connection) => {
  while (await connection.writable()) connection.write(head(103, {}));
};

/** HTTP/1.0, whose body ends with the connection. */
export const http10 =
  (status: number, body: string): Behaviour =>
  (connection) =>
    connection.end(head(status, {}, '1.0') + body);
