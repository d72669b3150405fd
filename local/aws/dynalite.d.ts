declare module 'dynalite' {
  import type { EventEmitter } from 'node:events';

  /** An HTTP server. Without listening, it also answers 'request' events. */
  const dynalite: (options?: { createTableMs?: number; deleteTableMs?: number }) => EventEmitter;
  export = dynalite;
}
