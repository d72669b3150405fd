import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ItemChange } from '../aws/change-stream.ts';
import type { Range } from '../aws/dynalite-internals.ts';
import { createItemStore } from '../aws/item-store.ts';

const key = fc.stringMatching(/^[a-c~]{0,3}$/);
const bound = fc.oneof(fc.record({ gt: key }), fc.record({ gte: key }), fc.constant({}));
const range: fc.Arbitrary<Range> = fc
  .tuple(
    bound,
    fc.oneof(fc.record({ lt: key }), fc.record({ lte: key }), fc.constant({})),
    fc.record({ reverse: fc.boolean(), limit: fc.integer({ min: -1, max: 4 }) }),
  )
  .map(([low, high, order]) => ({ ...low, ...high, ...order }));

const isWithin = (candidate: string, { gt, gte, lt, lte }: Range): boolean =>
  (gt === undefined || candidate > gt) &&
  (gte === undefined || candidate >= gte) &&
  (lt === undefined || candidate < lt) &&
  (lte === undefined || candidate <= lte);

const naive = (entries: ReadonlyMap<string, object>, wanted: Range): object[] => {
  const { reverse, limit = -1 } = wanted;
  const items = [...entries]
    .filter(([candidate]) => isWithin(candidate, wanted))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, item]) => item);
  const ordered = reverse ? items.toReversed() : items;
  return limit < 0 ? ordered : ordered.slice(0, limit);
};

const done = () => {};

const itemOf = async (store: ReturnType<typeof createItemStore>, wanted: string) =>
  new Promise((resolve) => store.get(wanted, (_, item) => resolve(item)));

describe('the items of an emulated table', () => {
  it('are read by key, and in the order of their keys within any range', async () => {
    const item = fc.option(fc.record({ text: fc.string({ unit: 'grapheme' }) }), {
      nil: undefined,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(key, item)), range, async (changes, wanted) => {
        const store = createItemStore();
        const entries = new Map<string, object>();
        for (const [changed, changedTo] of changes) {
          if (changedTo === undefined) {
            store.del(changed, done);
            entries.delete(changed);
          } else {
            store.put(changed, changedTo, done);
            entries.set(changed, changedTo);
          }
        }
        expect(await store.createValueStream(wanted).toArray()).toEqual(naive(entries, wanted));
        for (const [known, kept] of entries) expect(await itemOf(store, known)).toEqual(kept);
        expect(await itemOf(store, 'd')).toBeUndefined();
      }),
    );
  });

  it('are those of the moment at which the range was requested', async () => {
    const store = createItemStore();
    for (const name of ['a', 'b', 'c']) store.put(name, { name }, done);

    const read = store.createValueStream({});
    store.del('b', done);
    store.put('c', { name: 'changed' }, done);

    expect(await read.toArray()).toEqual([{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
  });

  it('tell each change, with what was there before', () => {
    const changes: ItemChange[] = [];
    const store = createItemStore((change) => changes.push(change));

    store.put('a', { n: 1 }, done);
    store.put('a', { n: 2 }, done);
    store.del('a', done);

    expect(changes).toEqual([
      { before: undefined, after: '{"n":1}' },
      { before: '{"n":1}', after: '{"n":2}' },
      { before: '{"n":2}', after: undefined },
    ]);
  });
});
