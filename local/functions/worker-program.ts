import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const PROGRAM = fileURLToPath(new URL('./function-worker.ts', import.meta.url));

/**
 * Writes the program of the sandboxes as one file of JavaScript. A worker thread that reads the
 * TypeScript takes 40 ms of CPU more for each sandbox: it compiles Node's stripper of types anew.
 */
export const writeWorkerProgram = (outfile: string): void => {
  // `build` would leave a process of esbuild for as long as the run lasts.
  buildSync({
    entryPoints: [PROGRAM],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    logLevel: 'error',
  });
};
