import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Range, SortedMap } from '../../../local/aws/sorted-map.ts';

const key = fc.stringMatching(/^[a-c]{0,3}$/);
const bound = fc.oneof(fc.record({ gt: key }), fc.record({ gte: key }), fc.constant({}));
const range: fc.Arbitrary<Range> = fc
  .tuple(
    bound,
    fc.oneof(fc.record({ lt: key }), fc.record({ lte: key }), fc.constant({})),
    fc.boolean(),
  )
  .map(([low, high, reverse]) => ({ ...low, ...high, reverse }));

const isWithin = (candidate: string, { gt, gte, lt, lte }: Range): boolean =>
  (gt === undefined || candidate > gt) &&
  (gte === undefined || candidate >= gte) &&
  (lt === undefined || candidate < lt) &&
  (lte === undefined || candidate <= lte);

const naive = (entries: ReadonlyMap<string, number>, wanted: Range): number[] => {
  const values = [...entries]
    .filter(([candidate]) => isWithin(candidate, wanted))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, value]) => value);
  return wanted.reverse ? values.toReversed() : values;
};

describe('a sorted map', () => {
  it('gives the values of any range in the order of their keys', () => {
    const change = fc.tuple(key, fc.option(fc.nat(), { nil: undefined }));
    fc.assert(
      fc.property(fc.array(change), range, (changes, wanted) => {
        const sorted = new SortedMap<number>();
        const entries = new Map<string, number>();
        for (const [changed, value] of changes) {
          if (value === undefined) {
            sorted.delete(changed);
            entries.delete(changed);
          } else {
            sorted.set(changed, value);
            entries.set(changed, value);
          }
        }
        expect([...sorted.between(wanted)]).toEqual(naive(entries, wanted));
        for (const [known, value] of entries) expect(sorted.get(known)).toBe(value);
      }),
    );
  });

  it('keeps the order of more keys than fit into one chunk, in whatever order they come', () => {
    const COUNT = 5_000;
    const sorted = new SortedMap<number>();
    const entries = new Map<string, number>();
    for (let index = 0; index < COUNT; index += 1) {
      // 2,741 and the count have no common divisor: every number comes once.
      const value = (index * 2_741) % COUNT;
      sorted.set(String(value), value);
      entries.set(String(value), value);
    }
    for (let value = 0; value < COUNT; value += 3) {
      sorted.delete(String(value));
      entries.delete(String(value));
    }
    const ranges: Range[] = [{}, { reverse: true }, { gt: '2', lt: '3' }];
    ranges.push({ gte: '1000', lte: '4', reverse: true }, { lt: '0' }, { gt: '9999' });
    for (const wanted of ranges) {
      expect([...sorted.between(wanted)]).toEqual(naive(entries, wanted));
    }
    for (const known of entries.keys()) sorted.delete(known);
    expect([...sorted.between({})]).toEqual([]);
  });
});
