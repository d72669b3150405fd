import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Receiver, readReceivers } from '../../packages/console/serving/receivers.ts';

// `npm run docs` writes the receivers into the pages, between comments. A test fails if they differ.

const BEGINS = '<!-- Generated from receivers/: run `npm run docs`. -->';
const ENDS = '<!-- End of what is generated. -->';

/** The paragraph of the receiver's README about the raw body, without its first words. */
const RAW_BODY = /^\*\*The raw body\*\* (?:is|comes from) (.+(?:\n.+)*)/m;

const sampleRowOf = ({ name, title, folder, sample }: Receiver): string => {
  const readme = join(folder, 'README.md');
  const rawBody = RAW_BODY.exec(readFileSync(readme, 'utf8'))?.[1]?.replaceAll('\n', ' ');
  if (rawBody === undefined) {
    throw new Error(`${readme}: no paragraph begins "**The raw body** is" or "… comes from".`);
  }
  const file = `[${sample.split('/').at(-1)}](../../receivers/${name}/${sample})`;
  const program = `[${title}](../../receivers/${name}/README.md)`;
  return `| ${program} | ${file} | ${rawBody} |`;
};

const entryOf = ({ name, title, standardWebhooks }: Receiver): string =>
  `- [${title}](${name}/README.md)${standardWebhooks ? '' : ', without `/standard-hooks`'}`;

/** What each page has of the receivers. */
export const RECEIVER_PAGES: Readonly<Record<string, (all: readonly Receiver[]) => string>> = {
  'docs/integrators/verify-webhooks.md': (all) =>
    ['| Receiver | Sample | The raw body |', '|---|---|---|', ...all.map(sampleRowOf)].join('\n'),
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
