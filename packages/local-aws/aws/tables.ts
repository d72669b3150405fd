import type { IncomingHttpHeaders } from 'node:http';
import type { HttpAnswer } from '../http-server.ts';
import { AwsError, type ParsedAwsRequest } from './aws-request.ts';
import { ChangeStream } from './change-stream.ts';
import {
  createStore,
  type DynaliteError,
  operations,
  type Range,
  type Store,
} from './dynalite-internals.ts';
import { createItemStore } from './item-store.ts';
import { executeSelection, executeStatements } from './partiql.ts';
import { transactWrite } from './transactions.ts';

export interface Tables {
  handle(request: Pick<ParsedAwsRequest, 'headers' | 'input'>): Promise<HttpAnswer>;
  create(input: TableInput): Promise<void>;
  streamOf(tableName: string): ChangeStream | undefined;
}

interface TableInput {
  TableName: string;
  AttributeDefinitions: readonly unknown[];
  KeySchema: readonly { AttributeName: string; KeyType: string }[];
  BillingMode: 'PAY_PER_REQUEST';
  StreamSpecification?: { StreamViewType: 'NEW_AND_OLD_IMAGES' } | undefined;
}

/** DynamoDB, emulated by dynalite without a server of its own. */
export const createTables = (): Tables => {
  const store = createStore();
  const streams = new Map<string, ChangeStream>();
  const keyNames = new Map<string, readonly string[]>();
  const statementPorts = {
    keyNamesOf: (table: string) => keyNames.get(table),
    call: (operation: string, input: object) => call(store, operation, input),
    entriesIn: (table: string, range: Range) => store.getItemDb(table).entriesIn(range),
  };
  useItemStores(store, streams);
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
        if (operation === 'TransactWriteItems') {
          return dynamoAnswer(200, await transactWrite(input, store));
        }
        return dynamoAnswer(
          200,
          await (statementOperations.get(operation)?.(input, statementPorts) ??
            call(store, operation, input)),
        );
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
      const names = KeySchema.map(({ AttributeName }) => AttributeName);
      keyNames.set(TableName, names);
      if (StreamSpecification) streams.set(TableName, new ChangeStream(names));
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

const statementOperations = new Map<string, typeof executeStatements | typeof executeSelection>([
  ['BatchExecuteStatement', executeStatements],
  ['ExecuteStatement', executeSelection],
]);

const useItemStores = (store: Store, streams: ReadonlyMap<string, ChangeStream>): void => {
  const items = new Map<string, ReturnType<typeof createItemStore>>();
  store.getItemDb = (table) => {
    const known = items.get(table) ?? createItemStore((change) => streams.get(table)?.add(change));
    items.set(table, known);
    return known;
  };
};

/** AWS refuses requests that are not signed. dynalite without its server does not look at them. */
const isSigned = ({ authorization = '', ...headers }: IncomingHttpHeaders): boolean =>
  /^AWS4-\S+ (?=.*Credential=)(?=.*SignedHeaders=)(?=.*Signature=)/.test(authorization) &&
  Boolean(headers['x-amz-date'] ?? headers.date);

/** Rejects with a DynaliteError or an AwsError. */
const call = (store: Store, name: string, input: unknown): Promise<Record<string, unknown>> =>
  new Promise((resolve, reject) => {
    const operation = operations.get(name);
    if (!operation) throw new AwsError('UnknownOperationException', `${name} is not emulated.`);
    operation.act(store, operation.check(input, store), (error, output) => {
      if (error) reject(error);
      else resolve(output as Record<string, unknown>);
    });
  });

const dynamoAnswer = (status: number, body: unknown): HttpAnswer => ({
  status,
  headers: [['content-type', 'application/x-amz-json-1.0']],
  body: JSON.stringify(body),
});
