import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';
import type { PostResult, Reason } from '../../../core/delivery/attempt.ts';

const unanswered = (reason: Reason, code?: string): PostResult => ({
  kind: 'unanswered',
  reason,
  ...(code !== undefined && { code }),
});

/** The record of TLS that ends a handshake: fatal, handshake_failure. */
const ALERT = Buffer.from([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x28]);

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
    unanswered('tls-failure', 'ERR_SSL_WRONG_VERSION_NUMBER'),
  ],
  [
    'ends TLS with an alert',
    bytes(ALERT),
    unanswered('tls-failure', 'ERR_SSL_SSL_TLS_ALERT_HANDSHAKE_FAILURE'),
  ],
  [
    'sends zeros',
    bytes(Buffer.alloc(64)),
    unanswered('tls-failure', 'ERR_SSL_WRONG_VERSION_NUMBER'),
  ],
  [
    'closes the connection',
    (socket) => socket.end(),
    unanswered('connection-failed', 'ECONNRESET'),
  ],
  [
    'resets the connection',
    (socket) => socket.resetAndDestroy(),
    unanswered('connection-failed', 'ECONNRESET'),
  ],
  [
    'resets the connection within TLS',
    (socket) => void socket.once('data', () => socket.resetAndDestroy()),
    unanswered('connection-failed', 'ECONNRESET'),
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
