import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { resultOfFault } from '../../../adapters/http/connection-fault.ts';
import type { PostResult } from '../../../core/delivery/attempt.ts';
import type { Reason } from '../../../core/integration/reasons.ts';
import * as behaviours from './receiver-behaviours.ts';
import { answer, type Behaviour, interimThen, raw } from './receiver-behaviours.ts';

const unanswered = (reason: Reason, code?: string): PostResult => ({
  kind: 'unanswered',
  reason,
  ...(code !== undefined && { code }),
});

const reset = unanswered('connection-failed', 'ECONNRESET');

/** The record of TLS that ends a handshake: fatal, handshake_failure. */
export const ALERT = Buffer.from([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x28]);

const bytes =
  (data: string | Buffer): ((socket: Socket) => void) =>
  (socket) =>
    void socket.once('data', () => socket.end(data));

/** Faults of a server's TLS handshake, and the result of the POST. */
export const CONNECTION_FAULTS: readonly (readonly [
  what: string,
  greet: (socket: Socket) => void,
  PostResult,
])[] = [
  [
    'speaks HTTP without TLS',
    bytes('HTTP/1.1 400 Bad Request\r\n\r\n'),
    unanswered('tls-missing', 'ERR_SSL_WRONG_VERSION_NUMBER'),
  ],
  [
    'ends TLS with an alert',
    bytes(ALERT),
    unanswered('tls-handshake-refused', 'ERR_SSL_SSL_TLS_ALERT_HANDSHAKE_FAILURE'),
  ],
  [
    'sends zeros',
    bytes(Buffer.alloc(64)),
    unanswered('tls-missing', 'ERR_SSL_WRONG_VERSION_NUMBER'),
  ],
  ['closes the connection', (socket) => socket.end(), reset],
  ['resets the connection', (socket) => socket.resetAndDestroy(), reset],
  [
    'resets the connection within TLS',
    (socket) => void socket.once('data', () => socket.resetAndDestroy()),
    reset,
  ],
  ['says nothing', () => {}, unanswered('connect-timeout')],
];

/** A server of TLS that is older than the service speaks. */
export const TLS_OF_YESTERDAY: TlsOptions = {
  minVersion: 'TLSv1',
  maxVersion: 'TLSv1.1',
  ciphers: 'DEFAULT@SECLEVEL=0',
};

/** A server on loopback that does so to each connection. */
export const startTcpServer = async (
  greet: (socket: Socket) => void,
): Promise<{ url: string; close: () => void }> => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    greet(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { url: `https://127.0.0.1:${port}/`, close };
};

const malformed = (code: string): PostResult => resultOfFault({ code }, false);
const answered = (statusCode: number, responseStart = ''): PostResult => ({
  kind: 'answered',
  statusCode,
  responseStart,
});

const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
/** As many as are read on past. */
const MANY_INTERIM = 8;
const timesInterim = (count: number, then: Behaviour): Behaviour =>
  Array.from({ length: count }).reduce<Behaviour>((rest) => interimThen(103, rest), then);

/** Faults of an endpoint's HTTP, and the result of the POST. */
export const PROTOCOL_FAULTS: readonly (readonly [what: string, Behaviour, PostResult])[] = [
  ['status 000', raw('HTTP/1.1 000 OK\r\n\r\n'), malformed('HPE_INVALID_STATUS')],
  ['status 099', raw('HTTP/1.1 099 OK\r\n\r\n'), malformed('HPE_INVALID_STATUS')],
  ['status 20', raw('HTTP/1.1 20 OK\r\n\r\n'), malformed('HPE_INVALID_STATUS')],
  ['status 2000', raw('HTTP/1.1 2000 OK\r\n\r\n'), malformed('HPE_INVALID_STATUS')],
  ['status abc', raw('HTTP/1.1 abc OK\r\n\r\n'), malformed('HPE_INVALID_STATUS')],
  ['a 101 without a request for it', behaviours.upgrade, answered(101)],
  ['a 101 without an upgrade', raw('HTTP/1.1 101 Hm\r\n\r\n'), answered(101)],
  ['a 100, then the end', raw('HTTP/1.1 100 Continue\r\n\r\n'), reset],
  ['a 100, then a 200', interimThen(100, answer(200)), answered(200)],
  ['as many interim heads as are read', timesInterim(MANY_INTERIM, answer(204)), answered(204)],
  [
    'one interim head more',
    timesInterim(MANY_INTERIM + 1, answer(204)),
    unanswered('too-many-interim-answers'),
  ],
  [
    'interim heads without end',
    behaviours.interimWithoutEnd,
    unanswered('too-many-interim-answers'),
  ],
  ['an SSH greeting', raw('SSH-2.0-OpenSSH_9.9\r\n'), malformed('HPE_INVALID_CONSTANT')],
  ['a page without a head', raw('<html>'), malformed('HPE_INVALID_CONSTANT')],
  ['zeros', raw('\0\0\0\0'), malformed('HPE_INVALID_CONSTANT')],
  ['HTTP/2', raw('HTTP/2 200\r\n\r\n'), malformed('HPE_INVALID_VERSION')],
  ['a header without a colon', raw('HTTP/1.1 200 OK\r\nno colon\r\n\r\n'), answered(200)],
  ['a head of 64 KiB', behaviours.hugeHeaders, malformed('HPE_HEADER_OVERFLOW')],
  [
    'two lengths',
    raw('HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello'),
    malformed('HPE_UNEXPECTED_CONTENT_LENGTH'),
  ],
  [
    'a length and chunks',
    raw('HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'),
    answered(200),
  ],
  [
    'a length that is no number',
    raw('HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n'),
    malformed('HPE_INVALID_CONTENT_LENGTH'),
  ],
  ['a reset', behaviours.reset, reset],
  ['the end of the connection', behaviours.closeWithoutAnswer, reset],
  ['a reset within its head', behaviours.resetWithinHead, reset],
  ['the end within its head', raw('HTTP/1.1 200 OK\r\nContent-Ty'), reset],
  // The status has confirmed the event, whatever becomes of the body.
  ['a reset within its body', behaviours.resetWithinBody, answered(200, 'so far')],
  ['the end within its body', behaviours.cutOffBody, answered(200, 'all there is')],
  ['chunks that are none', raw(`${CHUNKED}5\r\nhello\r\nxyz\r\n`), answered(200, 'hello')],
  [
    'a second answer',
    raw(`${'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'.repeat(2)}`),
    answered(200),
  ],
];
