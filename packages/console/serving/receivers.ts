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
  /** Shell commands, which run in the folder, as `start` does. */
  install: z.array(z.string()),
  start: z.string().min(1),
  /** The file that has the sample. */
  sample: z.string().min(1),
  /** Whether it has the route `/standard-hooks`. */
  standardWebhooks: z.boolean(),
});

/** A program that receives webhooks with one framework. */
export interface Receiver extends z.output<typeof manifestSchema> {
  readonly name: string;
  readonly folder: string;
  /** The part of its source that integrators copy. */
  readonly code: string;
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
  const source = join(folder, read.data.sample);
  const code = sampleIn(readFileSync(source, 'utf8'));
  if (code === undefined) throw new Error(`${source} has no sample between its two comments.`);
  return { ...read.data, name: basename(folder), folder, code };
};

/** The lines between the comments `sample begins` and `sample ends`, without common indentation. */
export const sampleIn = (source: string): string | undefined => {
  const lines = source.split('\n');
  const begins = lines.findIndex((line) => line.includes('sample begins'));
  const ends = lines.findIndex((line) => line.includes('sample ends'));
  if (begins === -1 || ends < begins) return undefined;
  const sample = lines.slice(begins + 1, ends);
  const indentations = sample.filter((line) => line.trim() !== '').map((line) => line.search(/\S/));
  const common = Math.min(...indentations);
  return sample
    .map((line) => line.slice(common))
    .join('\n')
    .trim();
};
