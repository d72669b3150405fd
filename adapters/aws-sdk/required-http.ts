import type Http from 'node:http';
import { createRequire } from 'node:module';

/**
 * Takes the place of `node:http` in a function's code. An `import` of that module reads all that the
 * module exports, some of which has Node load its implementation of `fetch`: 10 ms of each cold start
 * for what no function needs then. `require` reads nothing.
 */
const http: typeof Http = createRequire(import.meta.url)('node:http');

// biome-ignore lint/style/noDefaultExport: the tracer's library imports all of `node:http`.
export default http;

/** What the code of the functions imports by name; the bundler tells what is missing. */
export const { Agent, IncomingMessage, request, STATUS_CODES } = http;
