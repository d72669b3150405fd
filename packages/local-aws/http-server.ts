import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TlsOptions } from 'node:tls';

export interface HttpRequest {
  method: string;
  /** Path as sent, still percent-encoded. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  /** Names as sent: name, value, name, value, … */
  rawHeaders: readonly string[];
  sourceIp: string;
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

export interface ListeningServer {
  origin: string;
  port: number;
  close(): Promise<void>;
}

export interface ListeningOptions {
  /** By default, or with 0, any free port. */
  port?: number;
  /** The command line option for the port, for the error when the port is taken. */
  portOption?: string;
  /** Without it the server speaks plain HTTP. */
  tls?: TlsOptions;
  /** Called with the server before it listens. */
  prepare?: (server: Server) => void;
}

interface HttpServerOptions extends ListeningOptions {
  maximumBodyBytes?: number;
  /** Refuses web pages: for a server that acts on requests without credentials. */
  forProgramsOnly?: boolean;
  handle: HttpHandler;
}

/** A status stands for an answer without a body; undefined, if it used the socket itself. */
type HttpHandler = (
  request: HttpRequest,
  received: IncomingMessage,
) => number | HttpAnswer | undefined | Promise<number | HttpAnswer | undefined>;

/** Starts a server that answers requests once they have been received completely. */
export const startHttpServer = (options: HttpServerOptions): Promise<ListeningServer> =>
  listen((request, response) => respond(request, response, options), options);

const respond = async (
  request: IncomingMessage,
  response: ServerResponse,
  { handle, maximumBodyBytes = Number.POSITIVE_INFINITY, forProgramsOnly }: HttpServerOptions,
): Promise<void> => {
  const refusal = forProgramsOnly ? refusalOf(request) : undefined;
  if (refusal) {
    request.resume();
    response.writeHead(refusal.status, { 'content-type': 'text/plain' }).end(refusal.body);
    return;
  }
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  const body = await readBody(request, maximumBodyBytes);
  const received = {
    method: request.method ?? 'GET',
    ...addressIn(request.url ?? '/'),
    headers: request.headers,
    rawHeaders: request.rawHeaders,
    sourceIp: request.socket.remoteAddress ?? '127.0.0.1',
    body: body ?? Buffer.alloc(0),
    tooLarge: body === undefined,
    clientGone: gone.signal,
  };
  const handled = await handle(received, request);
  if (handled === undefined) return;
  const answer = typeof handled === 'number' ? { status: handled, headers: [], body: '' } : handled;
  response.statusCode = answer.status;
  for (const [name, value] of answer.headers) response.appendHeader(name, value);
  response.end(answer.body);
};

/**
 * A browser on this machine sends requests here for a page of any website, and names the page's
 * origin. A website whose name was pointed to this machine is the same origin: its Host betrays it.
 */
const refusalOf = (request: IncomingMessage): { status: number; body: string } | undefined => {
  const { host, origin, 'sec-fetch-site': site = 'none' } = request.headers;
  if (!isLoopback(host, request)) {
    return { status: 421, body: 'This server has no name but localhost, 127.0.0.1 and [::1].\n' };
  }
  if (origin === undefined && site === 'none') return undefined;
  return { status: 403, body: 'This server answers programs on this machine, and no web pages.\n' };
};

/** Whether a Host header has a name of this machine, and the port that the request came to. */
export const isLoopback = (
  host: string | undefined,
  { socket }: Pick<IncomingMessage, 'socket'>,
): boolean => {
  const standardPort = 'encrypted' in socket ? 443 : 80;
  const port = socket.localPort === standardPort ? '' : `:${socket.localPort}`;
  const named = host?.toLowerCase();
  return ['localhost', '127.0.0.1', '[::1]'].some((name) => name + port === named);
};

/** @param url as in the first line of a request */
export const addressIn = (url: string): Pick<HttpRequest, 'path' | 'query'> => {
  const [path = '/', ...query] = url.split('?');
  return { path, query: new URLSearchParams(query.join('?')) };
};

/** undefined when the body is too large. Such a body is read to its end, as clients expect. */
export const readBody = (
  request: IncomingMessage,
  maximumBytes: number,
): Promise<Buffer | undefined> =>
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

/** As AWS. After Node's five seconds, a request could meet a connection that just closes. */
const KEEP_ALIVE_MS = 60_000;

/** Starts a server on 127.0.0.1. Throws when the port is taken. */
export const listen = async (
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  { port: wantedPort = 0, portOption = 'another option', tls, prepare }: ListeningOptions,
): Promise<ListeningServer> => {
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    answer(request, response).catch(() => response.destroy());
  };
  const settings = { keepAliveTimeout: KEEP_ALIVE_MS };
  const server: Server = tls
    ? createHttpsServer({ ...settings, ...tls }, onRequest)
    : createServer(settings, onRequest);
  prepare?.(server);
  await takePort(server, wantedPort, portOption);
  const { port } = server.address() as AddressInfo;
  return {
    origin: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

const takePort = (server: Server, port: number, option: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'is already taken' : `fails (${error.code})`;
      reject(new Error(`Port ${port} ${reason}: choose another with ${option}.`));
    });
    server.listen(port, '127.0.0.1', resolve);
  });
