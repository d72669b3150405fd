declare module 'dynalite' {
  import type { EventEmitter } from 'node:events';

  /** An HTTP server that need not listen: it answers 'request' events. */
  const dynalite: (options?: { createTableMs?: number; deleteTableMs?: number }) => EventEmitter;
  export = dynalite;
}
