import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import packageJson from '../../package.json' with { type: 'json' };

const FOLDER = 'docs/engineers/proof';

const proofRecord = z.strictObject({
  title: z.string(),
  command: z.string(),
  figures: z.record(z.string(), z.union([z.string(), z.number()])),
  version: z.string(),
  commit: z.string(),
  date: z.string(),
});

export type ProofRecord = z.output<typeof proofRecord>;

export type Figures = ProofRecord['figures'];

/** Where `PROOF` is set, keeps what a run has found, for the page that `npm run docs` writes. */
export const keepRecord = (
  name: string,
  run: Pick<ProofRecord, 'title' | 'command' | 'figures'>,
): void => {
  if (process.env.PROOF === undefined) return;
  const record: ProofRecord = {
    ...run,
    version: packageJson.version,
    commit: commitOf(),
    date: new Date().toISOString().slice(0, '2026-11-20'.length),
  };
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(`${FOLDER}/${name}.json`, `${JSON.stringify(record, undefined, 2)}\n`);
};

/** Records and their page may differ: they are written one after the other. */
const commitOf = (): string => {
  const git = (...words: readonly string[]) =>
    execFileSync('git', words, { encoding: 'utf8' }).trim();
  const changes = git('status', '--porcelain', '--', '.', `:!${FOLDER}`, `:!${FOLDER}.md`);
  return `${git('rev-parse', '--short=8', 'HEAD')}${changes === '' ? '' : ' with changes'}`;
};

export const readRecords = (): readonly ProofRecord[] =>
  globSync(`${FOLDER}/*.json`)
    .toSorted()
    .map((file) => proofRecord.parse(JSON.parse(readFileSync(file, 'utf8'))));
