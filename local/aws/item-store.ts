import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import type { ItemChange } from './change-stream.ts';
import type { ItemDatabase, Range } from './dynalite-internals.ts';

/** SQLite keeps so much of a table in memory, and the rest in the file. */
const CACHE_KIB = 4_096;

/**
 * The items of one table, for dynalite. dynalite's own store copies a path of a tree with each
 * write, keeps each item in a Buffer that holds a larger one alive, and takes several turns of the
 * event loop. Here every operation is done when its call returns, and the items are in a temporary
 * file: a run that keeps thirty days of deliveries does not grow by them.
 *
 * @param onChange gets every change of an item
 */
export const createItemStore = (
  onChange: (change: ItemChange) => void = () => {},
): ItemDatabase => {
  const items = new ItemFile();
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
    // Parsed as it is read: a page may end long before the range.
    createValueStream: (range) =>
      Readable.from(
        items
          .between(range)
          .values()
          .map((item) => JSON.parse(item)),
      ),
    // Nothing to wait for: no operation is under way when another begins.
    lock: (_key, work) => work((done) => done),
  };
};

/** JSON by key, in the order of the keys, in a file that goes with the process. */
class ItemFile {
  readonly #database: DatabaseSync;
  readonly #get: StatementSync;
  readonly #set: StatementSync;
  readonly #delete: StatementSync;
  /** Of the latest operation: dynalite reads an item before it writes the item. */
  #latest: { readonly key: string; readonly item: string | undefined } | undefined;
  /** By what they ask for. */
  readonly #ranges = new Map<string, StatementSync>();

  constructor() {
    // Without a name SQLite makes a temporary file, only when the cache is full, and removes it.
    this.#database = new DatabaseSync('');
    // One transaction that never ends, and no journal: nothing is ever rolled back, or read by
    // another process. An end of a transaction for each item takes more than the item.
    this.#database.exec(
      `PRAGMA cache_size = -${CACHE_KIB};
       PRAGMA journal_mode = OFF;
       CREATE TABLE items (key TEXT PRIMARY KEY, item TEXT NOT NULL) STRICT;
       BEGIN`,
    );
    this.#get = this.#prepare('SELECT item FROM items WHERE key = ?');
    this.#set = this.#prepare(
      'INSERT INTO items VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET item = excluded.item',
    );
    this.#delete = this.#prepare('DELETE FROM items WHERE key = ?');
  }

  get(key: string): string | undefined {
    if (this.#latest?.key === key) return this.#latest.item;
    const item = this.#get.get(key)?.item as string | undefined;
    this.#latest = { key, item };
    return item;
  }

  set(key: string, item: string): void {
    this.#set.run(key, item);
    this.#latest = { key, item };
  }

  delete(key: string): void {
    this.#delete.run(key);
    this.#latest = { key, item: undefined };
  }

  between({ reverse = false, limit = -1, ...bounds }: Range): string[] {
    const conditions: string[] = [];
    const values: SQLInputValue[] = [];
    for (const [name, operator] of COMPARISONS) {
      const bound = bounds[name];
      if (bound === undefined) continue;
      conditions.push(`key ${operator} ?`);
      values.push(bound);
    }
    const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
    const sql = `SELECT item FROM items ${where} ORDER BY key ${reverse ? 'DESC' : 'ASC'} LIMIT ?`;
    const statement = this.#ranges.get(sql) ?? this.#prepare(sql);
    this.#ranges.set(sql, statement);
    return statement.all(...values, limit).map(({ item }) => item as string);
  }

  #prepare(sql: string): StatementSync {
    return this.#database.prepare(sql);
  }
}

const COMPARISONS = [
  ['gt', '>'],
  ['gte', '>='],
  ['lt', '<'],
  ['lte', '<='],
] as const;
