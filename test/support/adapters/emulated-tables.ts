import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CreateTableCommand, DynamoDBClient, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import dynalite from 'dynalite';

export interface EmulatedTables {
  readonly client: DynamoDBDocumentClient;
  /** Makes an empty table and gives its name, which no other table has. */
  createTable(...key: [partition: string, sort: string]): Promise<string>;
  stop(): Promise<void>;
}

/** DynamoDB by dynalite, on a port of its own. */
export const startTables = async (): Promise<EmulatedTables> => {
  const server = dynalite({ createTableMs: 0 }) as unknown as Server;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const plain = new DynamoDBClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const client = DynamoDBDocumentClient.from(plain, {
    marshallOptions: { removeUndefinedValues: true },
  });
  let tables = 0;
  return {
    client,
    createTable: async (partition, sort) => {
      tables += 1;
      const TableName = `table-${tables}`;
      await client.send(
        new CreateTableCommand({
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
        }),
      );
      // dynalite answers before the table can be used.
      await waitUntilTableExists(
        { client: plain, maxWaitTime: 10, minDelay: 0.001, maxDelay: 0.1 },
        { TableName },
      );
      return TableName;
    },
    stop: async () => {
      plain.destroy();
      server.close();
      server.closeAllConnections();
    },
  };
};
