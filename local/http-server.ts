import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { type ListeningOptions, type ListeningServer, listen } from './listening-server.ts';

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

export interface HttpServerOptions extends ListeningOptions {
  maximumBodyBytes: number;
  handle: (request: HttpRequest) => Promise<HttpAnswer>;
}

/** Starts a server that answers requests once they have been received completely. */
export const startHttpServer = (options: HttpServerOptions): Promise<ListeningServer> =>
  listen((request, response) => respond(request, response, options), options);

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
  const answer = await handle({
    method: request.method ?? 'GET',
    ...addressIn(request.url ?? '/'),
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

/** @param url as in the first line of a request */
export const addressIn = (url: string): Pick<HttpRequest, 'path' | 'query'> => {
  const [path = '/', ...query] = url.split('?');
  return { path, query: new URLSearchParams(query.join('?')) };
};

/**
 * undefined when the body is larger than the limit. Reads such a body to its end, because clients
 * send all of a body before they read the answer.
 */
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
