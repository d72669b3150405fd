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
  /** From the last key to the first. */
  reverse?: boolean;
  /** Negative for no limit. */
  limit?: number;
}

/** The items of one table. */
export interface ItemDatabase {
  get(key: string, done: Done<object>): void;
  put(key: string, item: object, done: Done<void>): void;
  del(key: string, done: Done<void>): void;
  createValueStream(options: Range): Readable;
  /** Calls `work` when no other work has the key. `release` gives a callback that ends the work. */
  lock(key: string, work: (release: <Callback>(done: Callback) => Callback) => void): void;
}

export interface Store {
  /** Gives the description of a table: of one in use, unless `false` allows any status. */
  getTable(name: string, ...options: [Done<object>] | [isInUse: false, Done<object>]): void;
  getItemDb(name: string): ItemDatabase;
}

interface Operation {
  /** Throws a DynaliteError when the input is wrong, or a TypeError when it is malformed. */
  check(input: unknown, store: Store): object;
  act(store: Store, input: object, done: Done<object>): void;
}

/** dynalite has no types; test/contract/local-dynalite.test.ts pins what is used of its files. */
const require = createRequire(import.meta.url);

const { checkTypes, checkValidations, validateAttributeValue } = require('dynalite/validations');

/**
 * V8 optimises the validation of values again and again, and drops it each time: its nested loops
 * never tell V8 what a member of a map is read from. An object with a deleted member has V8 read the
 * slow way, which tells. A function has to run a few times before V8 takes notes.
 */
const haveValidationNoted = (): void => {
  for (let runs = 0; runs < 100; runs += 1) {
    const value: Record<string, unknown> = { deleted: true, M: { text: { S: '' } } };
    delete value.deleted;
    validateAttributeValue(value);
  }
};

export const createStore = (options: { createTableMs: number }): Store => {
  haveValidationNoted();
  return require('dynalite/db').create(options);
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
