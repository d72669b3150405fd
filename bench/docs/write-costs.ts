/**
 * Writes the figures of docs/operators that follow from templates, prices and measurements:
 *
 *     npm run docs
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { replaceBlock } from '../../tools/docs/markdown.ts';
import { capacityBlocks } from './capacity-blocks.ts';
import { type Blocks, costBlocks } from './cost-blocks.ts';

const COSTS = 'docs/operators/costs.md';
const CAPACITY = 'docs/operators/capacity.md';

interface Page {
  readonly path: string;
  readonly text: string;
}

const read = (path: string): string => readFileSync(path, 'utf8');

/** Returns the pages that have generated blocks, with these blocks as they should be now. */
export const pagesWithCurrentFigures = (): readonly Page[] => {
  const [costs, capacity] = [read(COSTS), read(CAPACITY)];
  return [
    { path: COSTS, text: withBlocks(costs, costBlocks(costs)) },
    { path: CAPACITY, text: withBlocks(capacity, capacityBlocks(costs)) },
  ];
};

const withBlocks = (page: string, blocks: Blocks): string =>
  Object.entries(blocks).reduce(
    (text, [name, content]) => replaceBlock(text, `docs:costs ${name}`, content),
    page,
  );

export const writeCosts = (): void => {
  for (const { path, text } of pagesWithCurrentFigures()) writeFileSync(path, text);
};

if (import.meta.main) writeCosts();
