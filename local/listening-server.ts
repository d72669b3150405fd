import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface ListeningServer {
  origin: string;
  port: number;
  close(): Promise<void>;
}

export interface ListeningOptions {
  /** 0 takes any free port. */
  port: number;
  /** The command line option for the port, for the error when the port is taken. */
  portOption: string;
  /** PEM files; without them the server speaks plain HTTP. */
  certificate?: { readonly certFile: string; readonly keyFile: string };
}

/**
 * About as long as AWS keeps idle connections. Clients keep idle connections longer than the five
 * seconds of Node's servers. A server that closes a connection as a client sends a request causes
 * an error that a client of AWS does not get.
 */
const KEEP_ALIVE_MS = 60_000;

/**
 * Starts a server on 127.0.0.1. A client that sends nonsense, or goes away, spoils its own answer
 * and nothing else. Throws when the port is taken.
 */
export const listen = async (
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  options: ListeningOptions,
): Promise<ListeningServer> => {
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    answer(request, response).catch(() => response.destroy());
  };
  const { certificate } = options;
  const settings = { keepAliveTimeout: KEEP_ALIVE_MS };
  const server = certificate
    ? createHttpsServer({ ...settings, ...(await readPair(certificate)) }, onRequest)
    : createServer(settings, onRequest);
  await takePort(server, options);
  const { port } = server.address() as AddressInfo;
  return {
    origin: `${certificate ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

const readPair = async ({ certFile, keyFile }: { certFile: string; keyFile: string }) => ({
  cert: await readFile(certFile),
  key: await readFile(keyFile),
});

const takePort = (server: Server, { port, portOption }: ListeningOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'is already taken' : `fails (${error.code})`;
      reject(new Error(`Port ${port} ${reason}: choose another with ${portOption}.`));
    });
    server.listen(port, '127.0.0.1', resolve);
  });
