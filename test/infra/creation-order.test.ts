import { describe, expect, it } from 'vitest';
import { stageNames } from '../../lib/stage-settings.ts';
import { synthesise } from './template.ts';

/** What cannot be made one after the other: each waits for the next, and the last for the first. */
const circleIn = (needs: ReadonlyMap<string, ReadonlySet<string>>): string[] => {
  const done = new Set<string>();
  const circleFrom = (id: string, waiting: readonly string[]): string[] => {
    if (waiting.includes(id)) return [...waiting.slice(waiting.indexOf(id)), id];
    if (done.has(id)) return [];
    for (const needed of needs.get(id) ?? []) {
      const circle = circleFrom(needed, [...waiting, id]);
      if (circle.length > 0) return circle;
    }
    done.add(id);
    return [];
  };
  return [...needs.keys()].map((id) => circleFrom(id, [])).find(({ length }) => length > 0) ?? [];
};

describe.each(stageNames)('CloudFormation, making %s', (stageName) => {
  it('finds something to begin with, and then always something to go on with', () => {
    for (const needs of synthesise(stageName).needs()) expect(circleIn(needs)).toEqual([]);
  });

  it('has room below the 500 resources that a stack can have: a route takes three', () => {
    for (const needs of synthesise(stageName).needs()) expect(needs.size).toBeLessThan(400);
  });
});

describe('A circle', () => {
  it('is found', () => {
    const needs = new Map([
      ['api', new Set(['console'])],
      ['page', new Set(['api'])],
      ['console', new Set(['headers'])],
      ['headers', new Set(['api'])],
    ]);

    expect(circleIn(needs)).toEqual(['api', 'console', 'headers', 'api']);
  });
});
