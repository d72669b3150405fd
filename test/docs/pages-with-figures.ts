import { capacityBlocks } from './capacity-blocks.ts';
import { type Blocks, costBlocks } from './cost-blocks.ts';
import { replaceBlock } from './markdown.ts';

const COSTS = 'docs/operators/costs.md';
const CAPACITY = 'docs/operators/capacity.md';

interface Page {
  readonly path: string;
  readonly text: string;
}

/** Returns the pages that have generated blocks, with these blocks as they should be now. */
export const pagesWithCurrentFigures = (read: (path: string) => string): readonly Page[] => {
  const costs = read(COSTS);
  return [
    { path: COSTS, text: withBlocks(costs, costBlocks(costs)) },
    { path: CAPACITY, text: withBlocks(read(CAPACITY), capacityBlocks(costs)) },
  ];
};

const withBlocks = (page: string, blocks: Blocks): string =>
  Object.entries(blocks).reduce(
    (text, [name, content]) => replaceBlock(text, `docs:costs ${name}`, content),
    page,
  );
