import { readFile, writeFile } from 'node:fs/promises';
import { type Receiver, readReceivers } from '../../packages/console/serving/receivers.ts';

// `npm run docs` writes the receivers into the pages, between comments. A test fails if they differ.

const BEGINS = '<!-- Generated from receivers/: run `npm run docs`. -->';
const ENDS = '<!-- End of what is generated. -->';

const sampleRowOf = ({ name, title, sample }: Receiver): string => {
  const file = `[${sample.split('/').at(-1)}](../../receivers/${name}/${sample})`;
  return `| [${title}](../../receivers/${name}/README.md) | ${file} |`;
};

const entryOf = ({ name, title, standardWebhooks }: Receiver): string =>
  `- [${title}](${name}/README.md)${standardWebhooks ? '' : ', without `/standard-hooks`'}`;

/** What each page has of the receivers. */
export const RECEIVER_PAGES: Readonly<Record<string, (all: readonly Receiver[]) => string>> = {
  'docs/integrators/verify-webhooks.md': (all) =>
    [
      '| Receiver, and where it has the raw body | Sample |',
      '|---|---|',
      ...all.map(sampleRowOf),
    ].join('\n'),
  'receivers/README.md': (all) => all.map(entryOf).join('\n'),
};

/** The page with the receivers as they are now. */
export const withReceivers = (
  page: string,
  text: string,
  receivers: readonly Receiver[] = readReceivers(),
): string => {
  const [before, rest] = text.split(`${BEGINS}\n`);
  const after = rest?.split(ENDS)[1];
  const generated = RECEIVER_PAGES[page]?.(receivers);
  if (after === undefined) throw new Error(`${page} lacks a comment: ${BEGINS} or ${ENDS}`);
  return `${before}${BEGINS}\n\n${generated}\n\n${ENDS}${after}`;
};

if (import.meta.main) {
  for (const page of Object.keys(RECEIVER_PAGES)) {
    await writeFile(page, withReceivers(page, await readFile(page, 'utf8')));
  }
}
