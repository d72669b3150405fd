import type { IncomingHttpHeaders } from 'node:http';
import type { HttpAnswer } from '../http-server.ts';
import type { ParsedAwsRequest } from './aws-request.ts';
import { AwsError } from './aws-request.ts';
import { ChangeStream } from './change-stream.ts';
import { createStore, type DynaliteError, operations, type Store } from './dynalite-internals.ts';
import { createItemStore } from './item-store.ts';
import { executeStatements } from './partiql.ts';

export interface Tables {
  handle(request: Pick<ParsedAwsRequest, 'headers' | 'input'>): Promise<HttpAnswer>;
  /**
   * Resolves when the table can be used.
   *
   * @param input the input of the operation CreateTable
   */
  create(input: TableInput): Promise<void>;
  /** The stream of a table that was created with a StreamSpecification. */
  streamOf(tableName: string): ChangeStream | undefined;
}

interface TableInput {
  TableName: string;
  AttributeDefinitions: readonly unknown[];
  KeySchema: readonly { AttributeName: string; KeyType: string }[];
  BillingMode: 'PAY_PER_REQUEST';
  /** Its stream has the old and the new image of an item. */
  StreamSpecification?: { StreamViewType: 'NEW_AND_OLD_IMAGES' } | undefined;
}

/** DynamoDB, emulated by dynalite: in memory and without a server of its own. */
export const createTables = (): Tables => {
  const store = createStore({ createTableMs: 0 });
  const streams = new Map<string, ChangeStream>();
  keepItemsInMemory(store, streams);
  readTablesOnce(store);
  const keyNames = keyNamesIn(store);
  return {
    handle: async ({ headers, input }) => {
      if (!isSigned(headers)) {
        throw new AwsError('MissingAuthenticationTokenException', 'The request is not signed.');
      }
      if (input === undefined) {
        throw new AwsError('SerializationException', 'The request is not JSON.');
      }
      const operation = String(headers['x-amz-target']).replace('DynamoDB_20120810.', '');
      try {
        return dynamoAnswer(200, await answer(operation, input, { store, keyNames }));
      } catch (error) {
        const { statusCode, body: explanation } = error as DynaliteError;
        if (statusCode !== undefined) return dynamoAnswer(statusCode, explanation);
        // dynalite throws when a member of the input has a wrong type.
        if (!(error instanceof TypeError)) throw error;
        throw new AwsError('SerializationException', 'The request cannot be read.');
      }
    },
    create: async ({ StreamSpecification, ...input }) => {
      const { TableName, KeySchema } = input;
      if (StreamSpecification) {
        const keyNames = KeySchema.map(({ AttributeName }) => AttributeName);
        streams.set(TableName, new ChangeStream(keyNames));
      }
      await call(store, 'CreateTable', input);
      // dynalite answers first, and makes the table usable in later turns of the event loop.
      for (let status = ''; status !== 'ACTIVE'; ) {
        await new Promise((resolve) => setImmediate(resolve));
        const { Table } = await call(store, 'DescribeTable', { TableName });
        status = (Table as { TableStatus: string }).TableStatus;
      }
    },
    streamOf: (tableName) => streams.get(tableName),
  };
};

const keepItemsInMemory = (store: Store, streams: ReadonlyMap<string, ChangeStream>): void => {
  const items = new Map<string, ReturnType<typeof createItemStore>>();
  store.getItemDb = (table) => {
    const known = items.get(table) ?? createItemStore((change) => streams.get(table)?.add(change));
    items.set(table, known);
    return known;
  };
};

/** Every call needs the description of its table, and no operation changes a table in use. */
const readTablesOnce = (store: Store): void => {
  const inUse = new Map<string, object>();
  const getTable = store.getTable.bind(store);
  store.getTable = (name, ...options) => {
    const known = inUse.get(name);
    if (options.length === 2) getTable(name, ...options);
    else if (known) options[0](null, known);
    else {
      getTable(name, (error, table) => {
        if (table) inUse.set(name, table);
        options[0](error, table);
      });
    }
  };
};

/** dynalite itself does not look at requests here; AWS refuses what is not signed. */
const isSigned = ({ authorization = '', ...headers }: IncomingHttpHeaders): boolean =>
  /^AWS4-\S+ (?=.*Credential=)(?=.*SignedHeaders=)(?=.*Signature=)/.test(authorization) &&
  Boolean(headers['x-amz-date'] ?? headers.date);

type KeyNames = (table: string) => Promise<readonly string[]>;

/** Rejects with a DynaliteError or an AwsError. */
const answer = (
  operation: string,
  input: unknown,
  { store, keyNames }: { store: Store; keyNames: KeyNames },
): Promise<object> =>
  operation === 'BatchExecuteStatement'
    ? executeStatements(input, {
        keyNamesOf: keyNames,
        deleteItem: (deletion) => call(store, 'DeleteItem', deletion),
        putItem: (put) => call(store, 'PutItem', put),
        getItem: (item) => call(store, 'GetItem', item),
      })
    : call(store, operation, input);

/** Each statement needs the names of its table's key attributes, which no operation changes. */
const keyNamesIn = (store: Store): KeyNames => {
  const known = new Map<string, readonly string[]>();
  return async (TableName) => {
    const names = known.get(TableName) ?? (await readKeyNames(store, TableName));
    known.set(TableName, names);
    return names;
  };
};

const readKeyNames = async (store: Store, TableName: string): Promise<readonly string[]> => {
  const { Table } = await call(store, 'DescribeTable', { TableName });
  const { KeySchema } = Table as Pick<TableInput, 'KeySchema'>;
  return KeySchema.map(({ AttributeName }) => AttributeName);
};

/** Rejects as `answer` does. */
const call = (store: Store, name: string, input: unknown): Promise<Record<string, unknown>> =>
  new Promise((resolve, reject) => {
    const { check, act } = operationOf(name);
    act(store, check(input, store), (error, output) => {
      if (error) reject(error);
      else resolve(output as Record<string, unknown>);
    });
  });

const operationOf = (name: string) => {
  const operation = operations.get(name);
  if (!operation) throw new AwsError('UnknownOperationException', `${name} is not emulated.`);
  return operation;
};

const dynamoAnswer = (status: number, body: unknown): HttpAnswer => ({
  status,
  headers: [['content-type', 'application/x-amz-json-1.0']],
  body: JSON.stringify(body),
});
