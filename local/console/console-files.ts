import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, relative, sep } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

const YEAR_SECONDS = 31_536_000;

/** Content by path of the URL. Nothing else is served, whatever the path of a request. */
export type ServedFiles = ReadonlyMap<string, Buffer>;

/** Reads every file of a directory, but not the files whose name begins with a dot. */
export const readFiles = async (directory: string): Promise<ServedFiles> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.'));
  return new Map(
    await Promise.all(
      files.map(async ({ name, parentPath }): Promise<[string, Buffer]> => {
        const file = join(parentPath, name);
        const path = `/${relative(directory, file).split(sep).join('/')}`;
        return [path, await readFile(file)];
      }),
    ),
  );
};

/** A path without a dot in its last part is a page of the console, which has one HTML file. */
export const answerWithFile = (
  request: IncomingMessage,
  response: ServerResponse,
  files: ServedFiles,
): void => {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD', 'content-type': 'text/plain' });
    response.end('Only GET and HEAD.\n');
    return;
  }
  const requested = request.url?.split('?')[0] ?? '/';
  const isPage = !requested.split('/').at(-1)?.includes('.');
  const path = !files.has(requested) && isPage ? '/index.html' : requested;
  const content = files.get(path);
  if (content === undefined) {
    response.writeHead(404, { 'content-type': 'text/plain', 'cache-control': 'no-cache' });
    response.end('The file does not exist.\n');
    return;
  }
  response.writeHead(200, {
    'content-type': TYPES[extname(path)] ?? 'application/octet-stream',
    'content-length': content.length,
    // The name of a file in `assets` changes with its content.
    'cache-control': path.startsWith('/assets/')
      ? `public, max-age=${YEAR_SECONDS}, immutable`
      : 'no-cache',
  });
  response.end(content);
};
