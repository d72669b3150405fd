import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ListSchedulesCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { partitionsOf } from '../../../adapters/dynamodb/table/stored-deliveries.ts';
import type { Endpoints } from '../../../local/endpoints-file.ts';
import { awsClientConfigOf } from './platform-of.ts';

type Item = Record<string, unknown>;

/** The state that the service stores for an integration, by its bare id. */
export interface StoredState {
  /** The attempts of the delivery log, oldest first. */
  attemptsOf(integration: string): Promise<Item[]>;
  /** Ids of the pending events, oldest first. */
  pendingOf(integration: string): Promise<string[]>;
  /** The number of pending events: cheaper than `pendingOf` where there are many. */
  countPendingOf(integration: string): Promise<number>;
  /** Names of the hourly schedules. */
  schedulesOf(integration: string): Promise<string[]>;
}

/** @param outputs of the stacks. */
export const storedStateOf = (
  service: Endpoints,
  outputs: Promise<Readonly<Record<string, string>>>,
): StoredState => {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(awsClientConfigOf(service)));
  const scheduler = new SchedulerClient(awsClientConfigOf(service));
  const itemsOf = async (
    table: 'DeliveryLog' | 'PendingEvents',
    integration: string,
    attributes?: string,
  ): Promise<Item[]> => {
    const TableName = (await outputs)[`${table}TableName`];
    const items: Item[] = [];
    for (const partition of partitionsOf(integration)) {
      const query = {
        TableName,
        KeyConditionExpression: '#partition = :partition',
        ...(attributes && { ProjectionExpression: attributes }),
        ExpressionAttributeNames: { '#partition': 'partition' },
        ExpressionAttributeValues: { ':partition': partition },
        ConsistentRead: true,
      };
      for await (const { Items = [] } of paginateQuery({ client }, query)) items.push(...Items);
    }
    return items;
  };
  const pendingItemsOf = (integration: string) => itemsOf('PendingEvents', integration, 'entry');
  return {
    attemptsOf: async (integration) => {
      const items = await itemsOf('DeliveryLog', integration);
      const deliveries = items.filter(({ type }) => type !== undefined);
      const types = new Map(deliveries.map(({ entry, type }) => [eventIdIn(entry), type]));
      return items
        .flatMap(({ entry, firstAttempt, ...item }) => {
          const attempt = item.startedAt === undefined ? firstAttempt : item;
          if (attempt === undefined) return [];
          const eventId = eventIdIn(entry);
          return [
            { ...(attempt as { startedAt: string }), eventId, eventType: types.get(eventId) },
          ];
        })
        .toSorted((one, other) => one.startedAt.localeCompare(other.startedAt));
    },
    pendingOf: async (integration) => {
      const items = await pendingItemsOf(integration);
      return items
        .map(({ entry }) => String(entry))
        .toSorted()
        .map((entry) => entry.split('#').at(-1) ?? '');
    },
    countPendingOf: async (integration) => {
      return (await pendingItemsOf(integration)).length;
    },
    schedulesOf: async (integration) => {
      const list = new ListSchedulesCommand({ NamePrefix: `${integration}-` });
      const { Schedules = [] } = await scheduler.send(list);
      return Schedules.map(({ Name = '' }) => Name);
    },
  };
};

/** Both `<occurred at>#<event id>` and `attempt#<event id>#<started at>#<number>` have the id there. */
const eventIdIn = (entry: unknown): string => String(entry).split('#')[1] ?? '';
