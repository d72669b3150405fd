import { createRequire } from 'node:module';
import type { Readable } from 'node:stream';
import { rememberParsed } from './parsed-expressions.ts';

/** An error answer of DynamoDB has a status and a body; any other error is a fault. */
export interface DynaliteError extends Error {
  readonly statusCode?: number;
  readonly body?: object;
}

type Done<Result> = (error: DynaliteError | null, result?: Result) => void;

/** Keys of items, by code units. */
export interface Range {
  gt?: string;
  gte?: string;
  lt?: string;
  lte?: string;
  reverse?: boolean;
  /** Negative for no limit. */
  limit?: number;
}

export interface ItemEntry {
  readonly key: string;
  /** As JSON. */
  readonly item: string;
}

export interface ItemDatabase {
  get(key: string, done: Done<object>): void;
  put(key: string, item: object, done: Done<void>): void;
  del(key: string, done: Done<void>): void;
  entriesIn(range: Range): readonly ItemEntry[];
  createValueStream(options: Range): Readable;
  /** Calls `work` when no other work has the key. `release` gives a callback that ends the work. */
  lock(key: string, work: (release: <Callback>(done: Callback) => Callback) => void): void;
}

interface Table {
  readonly TableStatus: string;
}

export interface Store {
  getItemDb(name: string): ItemDatabase;
  getTable(name: string, ...given: [Done<Table>] | [mustBeActive: boolean, Done<Table>]): void;
}

interface Operation {
  /** Throws a DynaliteError when the input is wrong, or a TypeError when it is malformed. */
  check(input: unknown, store: Store): object;
  act(store: Store, input: object, done: Done<object>): void;
}

/** dynalite has no types. The contract tests of the tables run on the files that are used of it. */
const require = createRequire(import.meta.url);

const { checkTypes, checkValidations } = require('dynalite/validations');

for (const name of ['condition', 'projection', 'update']) {
  rememberParsed(require(`dynalite/db/${name}Parser`));
}

interface Internals {
  create(options: { createTableMs: number }): Store;
  hashPrefix(value: string, type: 'S'): string;
  toRangeStr(value: string, type: 'S'): string;
}

const { create, hashPrefix, toRangeStr }: Internals = require('dynalite/db');

/** The keys of all items of a partition. */
export const rangeOfPartition = (value: string): { gte: string; lt: string } => {
  const gte = `${hashPrefix(value, 'S')}/${toRangeStr(value, 'S')}/`;
  return { gte, lt: `${gte}~` };
};

/** A store that reads and parses a table once: tables do not change after they became active. */
export const createStore = (): Store => {
  const store = create({ createTableMs: 0 });
  const read = store.getTable;
  const active = new Map<string, Table>();
  store.getTable = (name, ...given) => {
    const done = given.at(-1) as Done<Table>;
    const known = active.get(name);
    if (known) return done(null, known);
    return read(name, given.length === 1, (error, table) => {
      if (table?.TableStatus === 'ACTIVE') active.set(name, table);
      done(error, table);
    });
  };
  return store;
};

const loadOperation = (name: string): [string, Operation] => {
  const file = `${name[0]?.toLowerCase()}${name.slice(1)}`;
  const { types, custom } = require(`dynalite/validations/${file}`);
  return [
    name,
    {
      act: require(`dynalite/actions/${file}`),
      check: (input, store) => {
        const checked = checkTypes(input, types);
        checkValidations(checked, types, custom, store);
        return checked;
      },
    },
  ];
};

/** By name. Without those that change a table: the template alone makes tables. */
export const operations: ReadonlyMap<string, Operation> = new Map(
  [
    'BatchGetItem',
    'BatchWriteItem',
    'CreateTable',
    'DeleteItem',
    'DescribeTable',
    'DescribeTimeToLive',
    'GetItem',
    'ListTables',
    'PutItem',
    'Query',
    'Scan',
    'UpdateItem',
  ].map(loadOperation),
);
