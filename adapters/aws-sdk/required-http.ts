import type Http from 'node:http';
import { createRequire } from 'node:module';

/**
 * Replaces `node:http` in functions. An `import` reads every export, and some make Node load its
 * implementation of `fetch`: 10 ms of each cold start. `require` reads nothing.
 */
const http: typeof Http = createRequire(import.meta.url)('node:http');

/** The names that the functions' code imports; the bundler reports a missing one. */
export const { Agent, IncomingMessage, request, STATUS_CODES } = http;
