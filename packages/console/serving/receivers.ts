import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';

const RECEIVERS_FOLDER = join(import.meta.dirname, '../../../receivers');

const LANGUAGES = ['javascript', 'typescript', 'python', 'go', 'java', 'ruby', 'php'] as const;

const manifestSchema = z.strictObject({
  title: z.string().min(1),
  language: z.enum(LANGUAGES),
  /** Commands that exit with 0 where the tools are installed. */
  toolchain: z.array(z.array(z.string()).min(1)),
  /** Whether its server or framework reads a body to its end before it refuses it. */
  readsToTheEnd: z.boolean().default(false),
  /** The file that integrators copy. */
  sample: z.string().min(1),
  /** All other files that the program needs. */
  files: z.array(z.string()),
  /** Whether it has the route `/standard-hooks`. */
  standardWebhooks: z.boolean(),
});

/** A program that receives webhooks with one framework. */
export interface Receiver extends z.output<typeof manifestSchema> {
  readonly name: string;
  readonly folder: string;
  /** The text of the sample. */
  readonly code: string;
  /** The commands of its README: those that install it, and the last, which starts it. */
  readonly commands: readonly string[];
}

/** The folders of `receivers/` that have a `receiver.json`, by title. */
export const readReceivers = (folder = RECEIVERS_FOLDER): readonly Receiver[] =>
  globSync('*/receiver.json', { cwd: folder })
    .map((path) => readReceiver(join(folder, dirname(path))))
    .toSorted((one, other) => one.title.localeCompare(other.title, 'en'));

const readReceiver = (folder: string): Receiver => {
  const file = join(folder, 'receiver.json');
  const read = manifestSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (!read.success) throw new Error(`${file}: ${z.prettifyError(read.error)}`);
  const code = readFileSync(join(folder, read.data.sample), 'utf8');
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  const [, commands = ''] = /^```sh\n(.*?)^```$/ms.exec(readme) ?? [];
  return {
    ...read.data,
    name: basename(folder),
    folder,
    code,
    commands: commands.trim().split('\n'),
  };
};
