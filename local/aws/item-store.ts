import { Readable } from 'node:stream';
import type { ItemChange } from './change-stream.ts';
import type { ItemDatabase } from './dynalite-internals.ts';
import { type Range, SortedMap } from './sorted-map.ts';

/**
 * The items of one table, for dynalite. dynalite's own store copies a path of a tree with each
 * write, keeps each item in a Buffer that holds a larger one alive, and takes several turns of the
 * event loop. Here an item is a string of JSON, and every operation is done when its call returns.
 *
 * @param onChange gets every change of an item
 */
export const createItemStore = (
  onChange: (change: ItemChange) => void = () => {},
): ItemDatabase => {
  const items = new SortedMap<string>();
  return {
    get: (key, done) => {
      const item = items.get(key);
      done(null, item === undefined ? undefined : JSON.parse(item));
    },
    put: (key, item, done) => {
      const [before, after] = [items.get(key), JSON.stringify(item)];
      items.set(key, after);
      onChange({ before, after });
      done(null);
    },
    del: (key, done) => {
      const before = items.get(key);
      items.delete(key);
      onChange({ before, after: undefined });
      done(null);
    },
    createValueStream: (range) => Readable.from(parsed(items, range)),
    // Nothing to wait for: no operation is under way when another begins.
    lock: (_key, work) => work((done) => done),
  };
};

function* parsed(items: SortedMap<string>, { limit = -1, ...range }: Range & { limit?: number }) {
  // Taken before the first is given: the items may change while the stream is read.
  const taken = items.between(range);
  for (const item of [...(limit < 0 ? taken : taken.take(limit))]) yield JSON.parse(item);
}
