import { createRequire } from 'node:module';
import type { Readable } from 'node:stream';

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

export interface ItemDatabase {
  get(key: string, done: Done<object>): void;
  put(key: string, item: object, done: Done<void>): void;
  del(key: string, done: Done<void>): void;
  createValueStream(options: Range): Readable;
  /** Calls `work` when no other work has the key. `release` gives a callback that ends the work. */
  lock(key: string, work: (release: <Callback>(done: Callback) => Callback) => void): void;
}

export interface Store {
  getItemDb(name: string): ItemDatabase;
  getTable(name: string, done: Done<object>): void;
}

interface Operation {
  /** Throws a DynaliteError when the input is wrong, or a TypeError when it is malformed. */
  check(input: unknown, store: Store): object;
  act(store: Store, input: object, done: Done<object>): void;
}

/** dynalite has no types. The contract tests of the tables run on the files that are used of it. */
const require = createRequire(import.meta.url);

const { checkTypes, checkValidations } = require('dynalite/validations');

export const createStore: (options: { createTableMs: number }) => Store =
  require('dynalite/db').create;

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
