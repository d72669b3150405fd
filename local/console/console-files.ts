import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import Negotiator from 'negotiator';

const TEXT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

/** Whose files are compressed already. */
const BINARY_TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

const YEAR_SECONDS = 31_536_000;

/** Better compression takes seconds for the console's largest file, and saves a few percent. */
const BROTLI_QUALITY = 5;

/** The best first, whatever the client would rather have of those that it takes. */
const ENCODINGS = ['br', 'gzip', 'identity'];

export interface ServedFile {
  readonly content: Buffer;
  readonly type: string;
  readonly cacheControl: string;
  readonly etag: string;
  /** The content in an encoding; compressed once, when it is first asked for. */
  readonly encoded: (encoding: string) => Promise<Buffer>;
}

/** By path of the URL. Nothing else is served, whatever a request's path looks like. */
export type ServedFiles = ReadonlyMap<string, ServedFile>;

/** Reads every file of a directory, but not the files whose name begins with a dot. */
export const readFiles = async (directory: string): Promise<ServedFiles> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.'));
  return new Map(
    await Promise.all(
      files.map(async ({ name, parentPath }): Promise<[string, ServedFile]> => {
        const file = join(parentPath, name);
        const path = `/${relative(directory, file).split(sep).join('/')}`;
        return [path, servedFile(path, await readFile(file))];
      }),
    ),
  );
};

export const servedFile = (path: string, content: Buffer): ServedFile => {
  const encodedAs = new Map<string, Promise<Buffer>>();
  const textType = TEXT_TYPES[extname(path)];
  return {
    content,
    type: textType ?? BINARY_TYPES[extname(path)] ?? 'application/octet-stream',
    // The name of a file in `assets` changes with its content.
    cacheControl: path.startsWith('/assets/')
      ? `public, max-age=${YEAR_SECONDS}, immutable`
      : 'no-cache',
    etag: createHash('sha256').update(content).digest('base64url').slice(0, 22),
    encoded: (encoding) => {
      const compressed =
        encodedAs.get(encoding) ??
        (textType ? compress(content, encoding) : Promise.resolve(content));
      encodedAs.set(encoding, compressed);
      return compressed;
    },
  };
};

const compress = async (content: Buffer, encoding: string): Promise<Buffer> => {
  if (encoding === 'gzip') return promisify(gzip)(content);
  if (encoding !== 'br') return content;
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  return promisify(brotliCompress)(content, { params });
};

/**
 * Answers with a file. A path without a dot in its last part is a page of the console: the console
 * finds out which, so its one HTML file is the answer.
 */
export const answerWithFile = async (
  request: IncomingMessage,
  response: ServerResponse,
  files: ServedFiles,
): Promise<void> => {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD', 'content-type': 'text/plain' });
    response.end('Only GET and HEAD.\n');
    return;
  }
  const path = request.url?.split('?')[0] ?? '/';
  const isPage = !path.split('/').at(-1)?.includes('.');
  const file = files.get(path) ?? (isPage ? files.get('/index.html') : undefined);
  if (file === undefined) {
    response.writeHead(404, { 'content-type': 'text/plain', 'cache-control': 'no-cache' });
    response.end('There is no such file.\n');
    return;
  }
  await sendFile(request, response, file);
};

const sendFile = async (
  request: IncomingMessage,
  response: ServerResponse,
  file: ServedFile,
): Promise<void> => {
  const accepted = new Negotiator(request).encodings(ENCODINGS);
  const encoding = ENCODINGS.find((name) => accepted.includes(name)) ?? 'identity';
  const body = await file.encoded(encoding);
  const isEncoded = body !== file.content;
  const etag = `"${file.etag}${isEncoded ? `-${encoding}` : ''}"`;
  response.setHeader('cache-control', file.cacheControl);
  response.setHeader('etag', etag);
  response.setHeader('vary', 'accept-encoding');
  if (request.headers['if-none-match'] === etag) {
    response.writeHead(304).end();
    return;
  }
  response.setHeader('content-type', file.type);
  response.setHeader('content-length', body.length);
  if (isEncoded) response.setHeader('content-encoding', encoding);
  response.writeHead(200).end(body);
};
