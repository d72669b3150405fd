// A process that answers calls of DynamoDB and SQS at once. It keeps nothing: the table of
// integrations has one integration, and the other tables are empty.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { benchedIntegration } from './benched-integration.ts';
import { serveParent, settingsOfChild } from './child.ts';

export interface AwsSettings {
  readonly integrationsTable: string;
  readonly baseUrl: string;
}

type Json = Record<string, unknown>;

const { integrationsTable, baseUrl } = settingsOfChild<AwsSettings>();

const attributeOf = (value: unknown): Json => {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number') return { N: String(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  return { M: mapOf(value as Json) };
};

const mapOf = (members: object): Json =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, attributeOf(value)]));

const ITEM = mapOf(benchedIntegration(baseUrl));

const itemsOf = (table: unknown): Json[] => (table === integrationsTable ? [ITEM] : []);

const sent = ({ Id, MessageBody }: Json): Json => ({
  Id,
  MessageId: '00000000-0000-4000-8000-000000000000',
  MD5OfMessageBody: createHash('md5').update(String(MessageBody)).digest('hex'),
});

const answers: Record<string, (input: Json) => Json> = {
  GetItem: ({ TableName }) => {
    const [Item] = itemsOf(TableName);
    return Item ? { Item } : {};
  },
  BatchGetItem: ({ RequestItems }) => ({
    Responses: Object.fromEntries(
      Object.keys(RequestItems as Json).map((table) => [table, itemsOf(table)]),
    ),
    UnprocessedKeys: {},
  }),
  Query: ({ TableName }) => {
    const Items = itemsOf(TableName);
    return { Items, Count: Items.length, ScannedCount: Items.length };
  },
  BatchWriteItem: () => ({ UnprocessedItems: {} }),
  TransactWriteItems: () => ({}),
  PutItem: () => ({}),
  UpdateItem: () => ({}),
  DeleteItem: () => ({}),
  SendMessage: sent,
  SendMessageBatch: ({ Entries }) => ({ Successful: (Entries as Json[]).map(sent), Failed: [] }),
  ChangeMessageVisibilityBatch: ({ Entries }) => ({
    Successful: (Entries as Json[]).map(({ Id }) => ({ Id })),
    Failed: [],
  }),
};

const counts: Record<string, number> = {};

const server = createServer({ keepAliveTimeout: 60_000 }, async (request, response) => {
  const input = JSON.parse(await text(request));
  const action = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
  counts[action] = (counts[action] ?? 0) + 1;
  const answer = answers[action];
  const body = JSON.stringify(answer ? answer(input) : { __type: `Unknown: ${action}` });
  response.writeHead(answer ? 200 : 400, {
    'Content-Type': 'application/x-amz-json-1.0',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
});

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  serveParent({ origin: `http://127.0.0.1:${port}` }, () => counts);
});
