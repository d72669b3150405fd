declare module 'dynalite' {
  import type { EventEmitter } from 'node:events';

  /** An HTTP server. */
  const dynalite: (options?: { createTableMs?: number; deleteTableMs?: number }) => EventEmitter;
  export = dynalite;
}
