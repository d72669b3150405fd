// A process that answers calls of DynamoDB, SQS and KMS at once. It keeps nothing: the table of
// integrations has one integration, the table of key pairs the pair that sealed the integration's secret,
// and the other tables are empty. It ends at a call that it cannot answer.
import { createHash, generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { seal } from '../../adapters/crypto/key-pair-secret-sealer.ts';
import { contextOf } from '../../adapters/crypto/key-pairs.ts';
import { serveParent, settingsOfChild } from '../child.ts';
import { BENCHED_KEY, BENCHED_SECRET, benchedIntegration } from './round.ts';

export interface AwsSettings {
  readonly integrationsTable: string;
  readonly keyPairsTable: string;
  readonly baseUrl: string;
}

type Json = Record<string, unknown>;

const { integrationsTable, keyPairsTable, baseUrl } = settingsOfChild<AwsSettings>();

const attributeOf = (value: unknown): Json => {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number') return { N: String(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  return { M: mapOf(value as Json) };
};

const mapOf = (members: object): Json =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, attributeOf(value)]));

const KEY_PAIR = '000001';
const { publicKey, privateKey } = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { format: 'der', type: 'spki' },
  privateKeyEncoding: { format: 'der', type: 'pkcs8' },
});
const { account, id: integration } = BENCHED_KEY;
const context = contextOf({ account, integration, field: 'webhookSecret' });

const ITEMS: Readonly<Record<string, Json>> = {
  [integrationsTable]: mapOf(
    benchedIntegration(baseUrl, {
      format: 1,
      keyPair: KEY_PAIR,
      sealed: seal(BENCHED_SECRET, publicKey, context),
    }),
  ),
  [keyPairsTable]: mapOf({
    id: KEY_PAIR,
    publicKey: publicKey.toString('base64'),
    wrappedPrivateKey: 'none',
    createdAt: '2026-11-20T12:00:00.000Z',
  }),
};

const itemsOf = (table: unknown): Json[] => [ITEMS[String(table)] ?? []].flat();

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
  BatchExecuteStatement: ({ Statements }) => ({
    Responses: (Statements as Json[]).map(() => ({})),
  }),
  BatchWriteItem: () => ({ UnprocessedItems: {} }),
  TransactWriteItems: () => ({}),
  PutItem: () => ({}),
  UpdateItem: () => ({}),
  DeleteItem: () => ({}),
  Decrypt: () => ({ Plaintext: privateKey.toString('base64') }),
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
  if (!answer) {
    console.error(`The bench has no answer to ${action}.`);
    process.exit(1);
  }
  const body = JSON.stringify(answer(input));
  response.writeHead(200, {
    'Content-Type': 'application/x-amz-json-1.0',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
});

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  serveParent({ origin: `http://127.0.0.1:${port}` }, () => counts);
});
