import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const PROGRAM = fileURLToPath(new URL('./function-worker.ts', import.meta.url));

/**
 * Writes the program of the sandboxes as one file of JavaScript. A worker thread that reads the
 * TypeScript takes 40 ms of CPU more for each sandbox: it compiles Node's stripper of types anew.
 */
export const writeWorkerProgram = async (outfile: string): Promise<void> => {
  await build({
    entryPoints: [PROGRAM],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    logLevel: 'error',
  });
};
