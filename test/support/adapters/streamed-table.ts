import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { parseRequest } from '../../../local/aws/aws-request.ts';
import { createTables } from '../../../local/aws/tables.ts';
import { streamEvent } from '../../../local/event-sources/stream-event.ts';
import { startHttpServer } from '../../../local/http-server.ts';
import { createClient } from '../local/clients.ts';

/** Table DeliveryLog of the embedded run, with the stream of its changes. */
export const startStreamedLog = async () => {
  const TableName = 'DeliveryLog';
  const tables = createTables();
  await tables.create({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [
      { AttributeName: 'partition', AttributeType: 'S' },
      { AttributeName: 'entry', AttributeType: 'S' },
    ],
    KeySchema: [
      { AttributeName: 'partition', KeyType: 'HASH' },
      { AttributeName: 'entry', KeyType: 'RANGE' },
    ],
    StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
  });
  const stream = tables.streamOf(TableName);
  if (!stream) throw new Error('The table has no stream.');
  stream.open();
  const server = await startHttpServer({
    port: 0,
    portOption: '--port',
    maximumBodyBytes: 16 * 1024 * 1024,
    handle: (request) => tables.handle(parseRequest(request)),
  });
  const plain = createClient(DynamoDBClient, server.origin);
  return {
    table: TableName,
    client: DynamoDBDocumentClient.from(plain, {
      marshallOptions: { removeUndefinedValues: true },
    }),
    /** The changes since the last call, of which there must be some, as a function gets them. */
    changes: async (): Promise<readonly DynamoDBRecord[]> => {
      const { signal } = new AbortController();
      const changes = await stream.next({ maximum: 1_000, windowMs: 1, signal });
      const { keyNames } = stream;
      return streamEvent(changes, { streamArn: 'arn', keyNames, windowMs: 1 }).Records;
    },
    stop: async () => {
      plain.destroy();
      await server.close();
    },
  };
};
