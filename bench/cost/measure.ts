import { setTimeout as delay } from 'node:timers/promises';
import { type DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { ENTRY_BYTES } from '../../adapters/dynamodb/delivery-index/delivery-index-items.ts';
import type { Child } from '../child.ts';
import { typicalEvent } from '../events.ts';
import type { BenchedService } from '../service.ts';
import { type AwsMeter, sqsRequestsFor, type Usage } from './aws-meter.ts';
import { itemBytes, sum } from './item-size.ts';
import { type FunctionLog, watchLogs } from './metered-stage.ts';

/**
 * Whose events they are. `dense`: all of one account. `mixed`: of 100 accounts in turn. `sparse`: each of
 * another account. Each account has one integration.
 */
type Population = 'dense' | 'mixed' | 'sparse';

export interface Scenario {
  readonly population: Population;
  readonly bodyBytes: number;
  /** Events come one at a time, and every batch has one record. Otherwise batches are full. */
  readonly isSingle?: boolean;
  readonly hasOpaqueIds?: boolean;
  /** Each integration has so many headers of its own. */
  readonly headers?: number;
  /** The filter of each integration keeps all events back. */
  readonly isFiltered?: boolean;
}

/** The measurement of a scenario; the numbers are of all events together. */
export interface Measured {
  readonly scenario: Scenario;
  readonly events: number;
  /** On the way of an event. */
  readonly usages: readonly Usage[];
  readonly logs: readonly FunctionLog[];
  /** Off the way: of the function that counts attempts and indexes deliveries. */
  readonly counting: Pick<Measured, 'usages' | 'logs'>;
  /** What it writes into the index. Its time is counted as that of counting. */
  readonly indexing: { readonly usages: readonly Usage[]; readonly stored: Stored };
  /** Off the way: of the function that announces changes, after the changes that the registrations are. */
  readonly announcing: Pick<Measured, 'usages' | 'logs'>;
  /** In the delivery log. */
  readonly stored: Stored;
}

/** Bytes of the items of a table, and how many items. */
interface Stored {
  readonly bytes: number;
  readonly items: number;
}

interface Bench {
  readonly service: BenchedService;
  /**
   * An endpoint in a process of its own: this process has the AWS endpoint, and an endpoint that
   * shares it would be slow, and its deliveries take the slow lane.
   */
  readonly receiver: Child<{ url: string }, object, { posts: number }>;
  readonly meter: AwsMeter;
  readonly client: DynamoDBClient;
}

const EVENTS = { full: 800, single: 200 };
const ACCOUNTS: Readonly<Partial<Record<Population, number>>> = { dense: 1, mixed: 100 };
const PATIENCE_MS = 300_000;
const POLL_MS = 200;
/** The function that reads the log's stream, which is free to read. */
const COUNTING = 'count-attempts';
/** The function that reads the stream of the integrations. */
const ANNOUNCING = 'announce-changes';
let numbered = 0;

/** Sends events of new customers, and measures until everything about them is done. */
export const measure = async (bench: Bench, scenario: Scenario): Promise<Measured> => {
  const { service, receiver, meter, client } = bench;
  const table = service.run.outputs.DeliveryLogTableName ?? '';
  const total = scenario.isSingle ? EVENTS.single : EVENTS.full;
  const deliveries = scenario.isFiltered ? 0 : total;
  const accounts = await newAccounts(bench, scenario, ACCOUNTS[scenario.population] ?? total);
  const events = Array.from({ length: total }, () => {
    numbered += 1;
    const { bodyBytes, hasOpaqueIds } = scenario;
    const account = accounts[numbered % accounts.length] ?? '';
    return typicalEvent(numbered, { account, bodyBytes, hasOpaqueId: hasOpaqueIds });
  });
  await meter.takeUsages(client);
  const storedBefore = await storedIn(client, table);
  const statistics = service.run.outputs.StatisticsTableName ?? '';
  const index = service.run.outputs.DeliveryIndexTableName ?? '';
  const indexBefore = await storedIn(client, index);
  const indexedBefore = await indexedIn(client, index);
  const countedBefore = await countedIn(client, statistics);
  const readLogs = await watchLogs();

  const { posts: before } = await receiver.ask({});
  const untilPosts = async (count: number): Promise<void> => {
    const deadline = Date.now() + PATIENCE_MS;
    while ((await receiver.ask({})).posts < before + count) {
      if (Date.now() > deadline) throw new Error('Events do not arrive.');
      await delay(1);
    }
  };
  if (scenario.isSingle) {
    for (const [index, event] of events.entries()) {
      await service.publish([event]);
      await untilPosts(index + 1);
    }
  } else {
    await service.publish(events);
    await untilPosts(deliveries);
  }
  await service.untilQuiet();
  while ((await countedIn(client, statistics)) < countedBefore + total) await delay(POLL_MS);
  while ((await indexedIn(client, index)) < indexedBefore + deliveries) await delay(POLL_MS);

  const stored = grownBy(storedBefore, await storedIn(client, table));
  const indexStored = grownBy(indexBefore, await storedIn(client, index));
  const logs = Map.groupBy(await readLogs(), ({ name }) => sideOf(name));
  const usages = Map.groupBy(await meter.takeUsages(client), ({ by }) => sideOf(by));
  const side = (name: Side) => ({ usages: usages.get(name) ?? [], logs: logs.get(name) ?? [] });
  const onTheWay = side('on the way');
  const ofCounting = side(COUNTING);
  return {
    scenario,
    events: total,
    usages: [...onTheWay.usages, ...usagesOfEventSources(onTheWay.logs)],
    logs: onTheWay.logs,
    counting: { ...ofCounting, usages: ofCounting.usages.filter((one) => !isOfIndex(one)) },
    indexing: { usages: ofCounting.usages.filter(isOfIndex), stored: indexStored },
    announcing: side(ANNOUNCING),
    stored,
  };
};

/** As long as a typical access key. */
const HEADER_VALUE = 'k'.repeat(40);

/** Accounts with an integration each, whose changes are announced. */
const newAccounts = async (
  { service, receiver, client }: Bench,
  { headers = 0, isFiltered }: Scenario,
  count: number,
): Promise<readonly string[]> => {
  const changes = service.run.outputs.ChangesTableName ?? '';
  const { items: before } = await storedIn(client, changes);
  const own = Array.from({ length: headers }, (_, index) => [`X-Header-${index}`, HEADER_VALUE]);
  const accounts: string[] = [];
  while (accounts.length < count) {
    const { account, register } = await service.newCustomer();
    await register(receiver.ready.url, {
      actions: { 'message.received': true },
      headers: Object.fromEntries(own),
      ...(isFiltered && { filter: { message: { to: ['another'] } } }),
    });
    accounts.push(account);
  }
  while ((await storedIn(client, changes)).items < before + count) await delay(POLL_MS);
  // The log of the last invocation follows.
  await delay(POLL_MS);
  return accounts;
};

/** Counts are updates, and the index has puts alone. */
const isOfIndex = ({ action }: Usage): boolean => action === 'BatchWriteItem';

const grownBy = (before: Stored, after: Stored): Stored => ({
  bytes: after.bytes - before.bytes,
  items: after.items - before.items,
});

/** How many deliveries have been indexed. */
const indexedIn = async (client: DynamoDBClient, TableName: string): Promise<number> => {
  let bytes = 0;
  for await (const { Items = [] } of paginateScan({ client }, { TableName })) {
    bytes += sum(Items.map(({ entries }) => entries?.B?.length ?? 0));
  }
  return bytes / ENTRY_BYTES;
};

const storedIn = async (client: DynamoDBClient, TableName: string): Promise<Stored> => {
  const sizes: number[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName })) {
    sizes.push(...Items.map(itemBytes));
  }
  return { bytes: sum(sizes), items: sizes.length };
};

/** How many deliveries, and events that filters kept back, have been counted. */
const countedIn = async (client: DynamoDBClient, TableName: string): Promise<number> => {
  let counted = 0;
  for await (const { Items = [] } of paginateScan({ client }, { TableName })) {
    for (const { integration, hour: _, expiresAt: __, ...counts } of Items) {
      const isOfFilters = integration?.S?.startsWith('account#');
      const added = isOfFilters ? Object.values(counts) : [counts.delivered];
      counted += sum(added.map((count) => Number(count?.N ?? 0)));
    }
  }
  return counted;
};

type Side = 'on the way' | typeof COUNTING | typeof ANNOUNCING;

const sideOf = (name: string): Side =>
  name === COUNTING || name === ANNOUNCING ? name : 'on the way';

/** Lambda receives each batch with one call, and deletes the batch with another. */
const usagesOfEventSources = (logs: readonly FunctionLog[]): Usage[] =>
  logs.flatMap(({ name, invocations }) => {
    const by = `source of ${name}`;
    const none = { by, calls: invocations.length, writeUnits: 0, readUnits: 0 };
    const received = sum(invocations.map(({ bytes }) => sqsRequestsFor(bytes)));
    return [
      { ...none, action: 'ReceiveMessage', sqsRequests: received },
      { ...none, action: 'DeleteMessageBatch', sqsRequests: invocations.length },
    ];
  });
