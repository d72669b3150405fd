import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ListSchedulesCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { partitionsOf } from '../../../adapters/dynamodb/integration-partitions.ts';
import type { Endpoints } from '../../../local/endpoints-file.ts';
import { awsClientConfigOf } from './platform-of.ts';

type Item = Record<string, unknown>;

/** What the service keeps of an integration, by its bare id. */
export interface KeptState {
  /** The attempts of the delivery log, oldest first. */
  attemptsOf(integration: string): Promise<Item[]>;
  /** Ids of the pending events, oldest first. */
  pendingOf(integration: string): Promise<string[]>;
  /** How many they are, where they are many. */
  countPendingOf(integration: string): Promise<number>;
  /** Names of the hourly schedules. */
  schedulesOf(integration: string): Promise<string[]>;
}

/** @param outputs of the stacks. */
export const keptStateOf = (
  service: Endpoints,
  outputs: Promise<Readonly<Record<string, string>>>,
): KeptState => {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(awsClientConfigOf(service)));
  const scheduler = new SchedulerClient(awsClientConfigOf(service));
  const logEntriesOf = async (integration: string): Promise<Item[]> => {
    const query = {
      TableName: (await outputs).DeliveryLogTableName,
      KeyConditionExpression: 'integration = :integration',
      ExpressionAttributeValues: { ':integration': integration },
      ConsistentRead: true,
    };
    const items: Item[] = [];
    for await (const { Items = [] } of paginateQuery({ client }, query)) items.push(...Items);
    return items;
  };
  const pendingItemsOf = async (partition: string): Promise<Item[]> => {
    const query = {
      TableName: (await outputs).PendingEventsTableName,
      KeyConditionExpression: '#partition = :partition',
      ProjectionExpression: 'entry',
      ExpressionAttributeNames: { '#partition': 'partition' },
      ExpressionAttributeValues: { ':partition': partition },
      ConsistentRead: true,
    };
    const items: Item[] = [];
    for await (const { Items = [] } of paginateQuery({ client }, query)) items.push(...Items);
    return items;
  };
  return {
    attemptsOf: async (integration) => {
      const entries = await logEntriesOf(integration);
      return entries
        .filter(({ entry }) => String(entry).startsWith('attempt#'))
        .map(attemptOf)
        .toSorted((one, other) => one.startedAt.localeCompare(other.startedAt));
    },
    pendingOf: async (integration) => {
      const partitions = await Promise.all(partitionsOf(integration).map(pendingItemsOf));
      return partitions
        .flat()
        .map(({ entry }) => String(entry))
        .toSorted()
        .map((entry) => entry.split('#').at(-1) ?? '');
    },
    countPendingOf: async (integration) => {
      const partitions = await Promise.all(partitionsOf(integration).map(pendingItemsOf));
      return partitions.flat().length;
    },
    schedulesOf: async (integration) => {
      const list = new ListSchedulesCommand({ NamePrefix: `${integration}-` });
      const { Schedules = [] } = await scheduler.send(list);
      return Schedules.map(({ Name = '' }) => Name);
    },
  };
};

const attemptOf = (item: Item) => {
  const { id, type } = item.reference as { id: string; type: string };
  return { ...item, startedAt: String(item.startedAt), eventId: id, eventType: type };
};
