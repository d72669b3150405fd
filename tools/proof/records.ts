import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import packageJson from '../../package.json' with { type: 'json' };

const FOLDER = 'docs/engineers/proof';

interface ProofRecord {
  readonly title: string;
  readonly command: string;
  readonly figures: Readonly<Record<string, string | number>>;
  readonly version: string;
  readonly commit: string;
  readonly date: string;
}

export type Figures = ProofRecord['figures'];

/** Where `PROOF` is set, keeps what a run has found, in docs/engineers/proof. */
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

/** The records may differ: they are written one after the other. */
const commitOf = (): string => {
  const git = (...words: readonly string[]) =>
    execFileSync('git', words, { encoding: 'utf8' }).trim();
  const changes = git('status', '--porcelain', '--', '.', `:!${FOLDER}`);
  return `${git('rev-parse', '--short=8', 'HEAD')}${changes === '' ? '' : ' with changes'}`;
};
