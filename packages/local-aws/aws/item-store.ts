import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import type { ItemChange } from './change-stream.ts';
import type { ItemDatabase, ItemEntry, Range } from './dynalite-internals.ts';

/** SQLite keeps so much of a table in memory, and the rest in the file. */
const CACHE_KIB = 4_096;

/** The items of one table, for dynalite: JSON by key, in a temporary file instead of in memory. */
export const createItemStore = (
  onChange: (change: ItemChange) => void = () => {},
): ItemDatabase => {
  const prepared = openTable();
  /** dynalite gets an item right before it changes it. */
  let latest: { readonly key: string; readonly item: string | undefined } | undefined;
  const read = (key: string): string | undefined => {
    if (latest?.key !== key) {
      const row = prepared('SELECT item FROM items WHERE key = ?').get(key);
      latest = { key, item: row?.item as string | undefined };
    }
    return latest.item;
  };
  const entriesIn = (range: Range): readonly ItemEntry[] => {
    const { sql, values } = queryOf(range);
    return prepared(sql).all(...values) as unknown as ItemEntry[];
  };
  return {
    get: (key, done) => {
      const item = read(key);
      done(null, item === undefined ? undefined : JSON.parse(item));
    },
    put: (key, item, done) => {
      const [before, after] = [read(key), JSON.stringify(item)];
      prepared('INSERT OR REPLACE INTO items VALUES (?, ?)').run(key, after);
      latest = { key, item: after };
      onChange({ before, after });
      done(null);
    },
    del: (key, done) => {
      const before = read(key);
      prepared('DELETE FROM items WHERE key = ?').run(key);
      latest = undefined;
      onChange({ before, after: undefined });
      done(null);
    },
    entriesIn,
    createValueStream: (range) => {
      const entries = entriesIn(range).values();
      // Each item is parsed when it is read: a page may end long before the range. `Readable.from` would
      // need some promises for each.
      return new Readable({
        objectMode: true,
        read() {
          const { value } = entries.next();
          this.push(value === undefined ? null : JSON.parse(value.item));
        },
      });
    },
    // Each operation is complete when its call returns.
    lock: (_key, work) => work((done) => done),
  };
};

/** Makes an empty table. Returns a function that prepares each statement once. */
const openTable = (): ((sql: string) => StatementSync) => {
  // Without a name the database is in a temporary file, which SQLite removes.
  const database = new DatabaseSync('');
  // One transaction without an end, and no journal: nothing is rolled back or shared.
  database.exec(
    `PRAGMA cache_size = -${CACHE_KIB};
     PRAGMA journal_mode = OFF;
     CREATE TABLE items (key TEXT PRIMARY KEY, item TEXT NOT NULL) STRICT;
     BEGIN`,
  );
  const statements = new Map<string, StatementSync>();
  return (sql) => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
};

const COMPARISONS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

const queryOf = ({ reverse = false, limit = -1, ...bounds }: Range) => {
  const given = Object.entries(bounds) as [keyof typeof COMPARISONS, string][];
  const where = ['TRUE', ...given.map(([name]) => `key ${COMPARISONS[name]} ?`)].join(' AND ');
  const values: SQLInputValue[] = [...given.map(([, bound]) => bound), limit];
  const order = reverse ? 'DESC' : 'ASC';
  return {
    sql: `SELECT key, item FROM items WHERE ${where} ORDER BY key ${order} LIMIT ?`,
    values,
  };
};
