import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';

const CLIENTS_FOLDER = join(import.meta.dirname, '../../../clients');

const manifestSchema = z.strictObject({
  /** The generator. */
  title: z.string().min(1),
  language: z.string().min(1),
  /** Commands that exit with 0 where the tools are installed. */
  toolchain: z.array(z.array(z.string()).min(1)),
  /** What the test needs and the guide does not show. All commands run by a shell in the folder. */
  prepare: z.string().optional(),
  /** As the guide shows them: they install the generator and generate the client. */
  commands: z.tuple([z.string(), z.string()]),
  /** Checks the types, unless a command does. */
  build: z.string().optional(),
  run: z.string().min(1),
});

/** A program over a client that is generated from `/openapi.json`. */
export interface Client extends z.output<typeof manifestSchema> {
  readonly name: string;
  readonly folder: string;
}

export const CLIENTS: readonly Client[] = globSync('*/client.json', { cwd: CLIENTS_FOLDER })
  .toSorted()
  .map((path) => {
    const folder = join(CLIENTS_FOLDER, dirname(path));
    const manifest = JSON.parse(readFileSync(join(folder, 'client.json'), 'utf8'));
    return { ...manifestSchema.parse(manifest), name: basename(folder), folder };
  });
