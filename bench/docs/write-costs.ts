/**
 * Writes the figures of docs/operators that follow from templates, prices and measurements:
 *
 *     npm run docs
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { replaceBlock } from '../../tools/docs/markdown.ts';
import { capacityBlocks } from './capacity-blocks.ts';
import { type Blocks, costBlocks, quotedCosts } from './cost-blocks.ts';

const COSTS = 'docs/operators/costs.md';
const CAPACITY = 'docs/operators/capacity.md';
const ALTERNATIVES = 'docs/alternatives.md';

interface Page {
  readonly path: string;
  readonly text: string;
}

const read = (path: string): string => readFileSync(path, 'utf8');

/** Returns the pages that have generated blocks, with these blocks as they should be now. */
export const pagesWithCurrentFigures = (): readonly Page[] => {
  const measured = read(COSTS);
  const costs = withBlocks(measured, costBlocks(measured));
  return [
    { path: COSTS, text: costs },
    { path: CAPACITY, text: withBlocks(read(CAPACITY), capacityBlocks(costs)) },
    { path: ALTERNATIVES, text: withQuotes(read(ALTERNATIVES), quotedCosts(costs)) },
  ];
};

/** A quote is the text of a link to the section that it is from. */
const withQuotes = (page: string, quotes: Readonly<Record<string, string>>): string =>
  page.replaceAll(/\[[^\]]+\](\(operators\/costs\.md#([\w-]+)\))/g, (link, target, section) =>
    section in quotes ? `[${quotes[section]}]${target}` : link,
  );

const withBlocks = (page: string, blocks: Blocks): string =>
  Object.entries(blocks).reduce(
    (text, [name, content]) => replaceBlock(text, `docs:costs ${name}`, content),
    page,
  );

export const writeCosts = (): void => {
  for (const { path, text } of pagesWithCurrentFigures()) writeFileSync(path, text);
};

if (import.meta.main) writeCosts();
