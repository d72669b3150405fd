/**
 * How fast one run of a replay puts pending events on the deliveries queue when each call of AWS
 * takes as long as one takes in a region: the function's own adapters, over clients that answer from
 * memory after a while. The latencies are assumed. The embedded run (`bench:replay`) has hardly any.
 *
 *     npm run bench:replay-run [-- <pending events>]
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { DynamoDbPendingEvents } from '../adapters/dynamodb/dynamodb-pending-events.ts';
import { SqsDeliveryQueue } from '../adapters/sqs/sqs-delivery-queue.ts';
import { buildRunReplay } from '../core/delivery/pending/run-replay.ts';
import { createDelivery } from '../core/delivery/route-event.ts';
import { benchedIntegration } from './function/benched-integration.ts';
import { now } from './receiver.ts';
import { typicalEvent } from './typical-event.ts';

const [total = 10_000] = process.argv.slice(2).map(Number);
const BODY_BYTES = 900;
const LATENCIES_MS: Readonly<Record<string, number>> = {
  GetItem: 5,
  Query: 10,
  SendMessageBatch: 20,
  BatchExecuteStatement: 25,
};

interface Item {
  readonly partition: string;
  readonly entry: string;
}
type Input = Record<string, unknown>;

const items = new Map<string, Item>();
const calls = new Map<string, number>();
let isMeasured = false;

const took = async (operation: string): Promise<void> => {
  if (!isMeasured) return;
  calls.set(operation, (calls.get(operation) ?? 0) + 1);
  await delay(LATENCIES_MS[operation]);
};

const answers: Readonly<Record<string, (input: Input) => object>> = {
  Put: ({ Item: item }) => {
    const { partition, entry } = item as Item;
    items.set(`${partition} ${entry}`, item as Item);
    return {};
  },
  Query: ({ ExpressionAttributeValues, ExclusiveStartKey, Limit, ScanIndexForward }) => {
    const { ':partition': partition } = ExpressionAttributeValues as Record<string, string>;
    const after = (ExclusiveStartKey as Item | undefined)?.entry ?? '';
    const inOrder = [...items.values()]
      .filter((item) => item.partition === partition && item.entry > after)
      .toSorted((one, other) => (one.entry < other.entry ? -1 : 1));
    const found = ScanIndexForward === false ? inOrder.toReversed() : inOrder;
    const Items = found.slice(0, Number(Limit));
    return { Items, LastEvaluatedKey: found.length > Items.length ? Items.at(-1) : undefined };
  },
  BatchExecuteStatement: ({ Statements }) => {
    const statements = Statements as { Parameters: readonly string[] }[];
    for (const { Parameters } of statements) items.delete(Parameters.slice(0, 2).join(' '));
    return { Responses: statements.map(() => ({})) };
  },
  SendMessageBatch: () => ({}),
};

const client = {
  send: async (command: { input: Input }) => {
    const operation = command.constructor.name.replace('Command', '');
    await took(operation);
    const answer = answers[operation];
    if (answer === undefined) throw new Error(`The bench does not answer ${operation}.`);
    return answer(command.input);
  },
};

const integration = benchedIntegration('https://127.0.0.1/');
const { account, id } = integration;
const pendingEvents = new DynamoDbPendingEvents(client as unknown as DynamoDBDocumentClient, 'T', {
  newVersion: randomUUID,
});
for (let number = 0; number < total; number += 1) {
  const event = typicalEvent(number, { account, bodyBytes: BODY_BYTES });
  await pendingEvents.put(createDelivery(event, id), { messageId: '' });
}

const runReplay = buildRunReplay({
  integrations: {
    find: async () => {
      await took('GetItem');
      return integration;
    },
  },
  pendingEvents,
  deliveries: new SqsDeliveryQueue(client as unknown as SQSClient, 'https://127.0.0.1/'),
  replays: { request: () => Promise.reject(new Error('There is time enough.')) },
  now: () => new Date(),
});
isMeasured = true;
const startedAt = now();
const { kind, replayed } = await runReplay({ account, id }, () => true);
const seconds = (now() - startedAt) / 1_000;

if (kind !== 'completed' || replayed !== total || items.size > 0) {
  throw new Error(`It ${kind}: ${replayed} replayed, ${items.size} left.`);
}
const ofEach = [...calls].map(([name, count]) => `${name} ${count} at ${LATENCIES_MS[name]} ms`);
console.log(ofEach.join(', '));
console.log(
  `${total} events in ${seconds.toFixed(1)} s: ${Math.round(total / seconds)} events/s in one run`,
);
