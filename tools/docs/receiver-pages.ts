import { readFile, writeFile } from 'node:fs/promises';
import { type Receiver, readReceivers } from '../../packages/console/serving/receivers.ts';

// `npm run docs` writes the receivers into the page, between comments. A test fails if they differ.

export const PAGE = 'docs/integrators/verify-webhooks.md';
const BEGINS = '<!-- Generated from receivers/: run `npm run docs`. -->';
const ENDS = '<!-- End of what is generated. -->';

const rowOf = ({ name, title, sample }: Receiver): string => {
  const file = `[${sample.split('/').at(-1)}](../../receivers/${name}/${sample})`;
  return `| [${title}](../../receivers/${name}/README.md) | ${file} |`;
};

/** The page with the receivers as they are now. */
export const withReceivers = (text: string): string => {
  const [before, rest] = text.split(`${BEGINS}\n`);
  const after = rest?.split(ENDS)[1];
  if (after === undefined) throw new Error(`${PAGE} lacks a comment: ${BEGINS} or ${ENDS}`);
  const head = '| Receiver, and where it has the raw body | Sample |\n|---|---|';
  const table = [head, ...readReceivers().map(rowOf)].join('\n');
  return `${before}${BEGINS}\n\n${table}\n\n${ENDS}${after}`;
};

if (import.meta.main) await writeFile(PAGE, withReceivers(await readFile(PAGE, 'utf8')));
