import { randomUUID } from 'node:crypto';
import {
  CreateTableCommand,
  type CreateTableInput,
  DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll } from 'vitest';
import { AwsError, jsonError, parseRequest } from '../../aws/aws-request.ts';
import type { ChangeStream } from '../../aws/change-stream.ts';
import { createTables } from '../../aws/tables.ts';
import { startHttpServer } from '../../http-server.ts';
import { testCredentials } from './test-credentials.ts';

export interface Tables {
  readonly client: DynamoDBDocumentClient;
  /** Makes an empty table and gives its name, which no other table has. */
  createTable(...key: [partition: string, sort: string]): Promise<string>;
}

export interface EmulatedTables extends Tables {
  /** As `createTable`, for a table with a stream of its changes. */
  createStreamedTable(...key: [partition: string, sort: string]): Promise<StreamedTable>;
  stop(): Promise<void>;
}

interface StreamedTable {
  readonly table: string;
  readonly stream: ChangeStream;
}

/** The embedded run's DynamoDB alone, on a port of its own; or, without streams, that at `DDB_AT`. */
export const startTables = async (): Promise<EmulatedTables> => {
  const { DDB_AT } = process.env;
  const emulated = createTables();
  const server = await startHttpServer({
    port: 0,
    portOption: 'the constant 0',
    maximumBodyBytes: 16 * 1024 * 1024,
    handle: (request) =>
      emulated.handle(parseRequest(request)).catch((error: unknown) => {
        if (error instanceof AwsError) return jsonError(error);
        throw error;
      }),
  });
  const plain = new DynamoDBClient({
    endpoint: DDB_AT ?? server.origin,
    region: 'eu-central-1',
    credentials: testCredentials(),
  });
  const client = DynamoDBDocumentClient.from(plain, {
    marshallOptions: { removeUndefinedValues: true },
  });
  const create = async ([partition, sort]: [string, string], options: object = {}) => {
    const TableName = `table-${randomUUID()}`;
    const design: CreateTableInput & Parameters<typeof emulated.create>[0] = {
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: partition, AttributeType: 'S' },
        { AttributeName: sort, AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: partition, KeyType: 'HASH' },
        { AttributeName: sort, KeyType: 'RANGE' },
      ],
      ...options,
    };
    if (DDB_AT === undefined) await emulated.create(design);
    else await plain.send(new CreateTableCommand(design));
    return TableName;
  };
  return {
    client,
    createTable: (...key) => create(key),
    createStreamedTable: async (...key) => {
      const table = await create(key, {
        StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
      });
      const stream = emulated.streamOf(table);
      if (!stream) throw new Error('The table has no stream.');
      stream.open();
      return { table, stream };
    },
    stop: async () => {
      plain.destroy();
      await server.close();
    },
  };
};

/** The embedded run's DynamoDB while the tests of a suite run. */
export const useTables = (): Tables => {
  let tables: EmulatedTables;
  beforeAll(async () => {
    tables = await startTables();
  });
  afterAll(() => tables.stop());
  return {
    get client() {
      return tables.client;
    },
    createTable: (...key) => tables.createTable(...key),
  };
};
