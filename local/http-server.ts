import { readFile } from 'node:fs/promises';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A request that has been received completely. */
export interface HttpRequest {
  method: string;
  /** Path as sent, still percent-encoded. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  /** Names as sent: name, value, name, value, … */
  rawHeaders: readonly string[];
  sourceIp: string;
  /** Empty when `tooLarge`. */
  body: Buffer;
  /** Whether the body was larger than `maximumBodyBytes`. */
  tooLarge: boolean;
  /** Aborts when the client goes away before the answer. */
  clientGone: AbortSignal;
}

export interface HttpAnswer {
  status: number;
  headers: ReadonlyArray<readonly [name: string, value: string]>;
  body: string | Buffer;
}

export interface HttpServer {
  origin: string;
  close(): Promise<void>;
}

export interface HttpServerOptions {
  port: number;
  /** The command line option for the port, for the error when the port is taken. */
  portOption: string;
  maximumBodyBytes: number;
  /** PEM files; without them the server speaks plain HTTP. */
  certificate?: { readonly certFile: string; readonly keyFile: string };
  handle: (request: HttpRequest) => Promise<HttpAnswer>;
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
export const startHttpServer = async (options: HttpServerOptions): Promise<HttpServer> => {
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    respond(request, response, options).catch(() => response.destroy());
  };
  const { certificate } = options;
  const settings = { keepAliveTimeout: KEEP_ALIVE_MS };
  const server = certificate
    ? createHttpsServer({ ...settings, ...(await readPair(certificate)) }, onRequest)
    : createServer(settings, onRequest);
  await listen(server, options);
  const { port } = server.address() as AddressInfo;
  return {
    origin: `${certificate ? 'https' : 'http'}://127.0.0.1:${port}`,
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

const listen = (server: Server, { port, portOption }: HttpServerOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'is already taken' : `fails (${error.code})`;
      reject(new Error(`Port ${port} ${reason}: choose another with ${portOption}.`));
    });
    server.listen(port, '127.0.0.1', resolve);
  });

const respond = async (
  request: IncomingMessage,
  response: ServerResponse,
  { handle, maximumBodyBytes }: HttpServerOptions,
): Promise<void> => {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  const body = await readBody(request, maximumBodyBytes);
  const [path = '/', ...query] = (request.url ?? '/').split('?');
  const answer = await handle({
    method: request.method ?? 'GET',
    path,
    query: new URLSearchParams(query.join('?')),
    headers: request.headers,
    rawHeaders: request.rawHeaders,
    sourceIp: request.socket.remoteAddress ?? '127.0.0.1',
    body: body ?? Buffer.alloc(0),
    tooLarge: body === undefined,
    clientGone: gone.signal,
  });
  response.statusCode = answer.status;
  for (const [name, value] of answer.headers) response.appendHeader(name, value);
  response.end(answer.body);
};

/**
 * undefined when the body is larger than the limit. Reads such a body to its end, because clients
 * send all of a body before they read the answer.
 */
const readBody = (request: IncomingMessage, maximumBytes: number): Promise<Buffer | undefined> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let receivedBytes = 0;
    request.on('data', (chunk: Buffer) => {
      receivedBytes += chunk.length;
      if (receivedBytes <= maximumBytes) chunks.push(chunk);
    });
    request.on('end', () => {
      resolve(receivedBytes <= maximumBytes ? Buffer.concat(chunks) : undefined);
    });
    request.on('error', reject);
  });
