import { writeFileSync } from 'node:fs';
import { type ProofRecord, readRecords } from '../proof/records.ts';
import { table } from './markdown.ts';

// `npm run docs` writes the page. A test fails if the page is not the one that the records make.

export const PAGE = 'docs/engineers/proof.md';

const INTRODUCTION = `
# Proof

<!-- Generated from the records of runs: make the runs and \`npm run docs\`. -->

What was run, and what it has found. \`PROOF=1\` before a command keeps a record of its run in \`docs/engineers/proof/\`.
`.trim();

export const proofPage = (records: readonly ProofRecord[]): string =>
  `${[INTRODUCTION, ...records.map(sectionOf)].join('\n\n')}\n`;

const sectionOf = ({ title, command, figures, version, commit, date }: ProofRecord): string =>
  [
    `## ${title}`,
    `\`${command}\`, version ${version}, commit ${commit}, ${date}:`,
    table(
      ['Figure', 'Found'],
      Object.entries(figures).map(([name, figure]) => [name, shown(figure)]),
    ),
  ].join('\n\n');

const shown = (figure: string | number): string =>
  typeof figure === 'number' ? figure.toLocaleString('en') : figure;

if (import.meta.main) writeFileSync(PAGE, proofPage(readRecords()));
