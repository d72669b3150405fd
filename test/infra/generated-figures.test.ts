import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { concurrencyFor } from '../docs/capacity-blocks.ts';
import { blockIn } from '../docs/markdown.ts';
import { pagesWithCurrentFigures } from '../docs/write-costs.ts';

const read = (path: string): string => readFileSync(path, 'utf8');

describe('the figures in the documents of operators', () => {
  it.each(pagesWithCurrentFigures())('are those of `npm run docs:costs`: $path', (page) => {
    expect(read(page.path)).toBe(page.text);
  });

  it('are all numbers', () => {
    for (const { text } of pagesWithCurrentFigures()) expect(text).not.toContain('NaN');
  });

  it('count the executions that a rate takes', () => {
    const load = { eventsPerSecond: 1_000, cpuMsOfFullBatch: 5, memoryMb: 884.5 };

    // 100 batches a second of 5 × 2 + 15 + 100 ms.
    expect(concurrencyFor({ ...load, batchSize: 10, endpointMs: 100 })).toBe(13);
    // 1,000 batches a second of 0.5 × 2 + 15 ms.
    expect(concurrencyFor({ ...load, batchSize: 1, endpointMs: 0 })).toBe(16);
  });

  it('need a place in their page', () => {
    expect(() => blockIn('# Costs', 'docs:costs month')).toThrow('no block "docs:costs month"');
  });
});
