import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ListSchedulesCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
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
  const queryOf = async (integration: string, tableOutput: string) => ({
    TableName: (await outputs)[tableOutput],
    KeyConditionExpression: 'integration = :integration',
    ExpressionAttributeValues: { ':integration': integration },
    ConsistentRead: true,
  });
  const itemsOf = async (integration: string, tableOutput: string): Promise<Item[]> => {
    const query = await queryOf(integration, tableOutput);
    const items: Item[] = [];
    for await (const { Items = [] } of paginateQuery({ client }, query)) items.push(...Items);
    return items;
  };
  return {
    attemptsOf: async (integration) => {
      const entries = await itemsOf(integration, 'DeliveryLogTableName');
      return entries
        .filter(({ entry }) => String(entry).startsWith('attempt#'))
        .map(attemptOf)
        .toSorted((one, other) => one.startedAt.localeCompare(other.startedAt));
    },
    pendingOf: async (integration) => {
      const items = await itemsOf(integration, 'PendingEventsTableName');
      return items.map(({ event }) => String(event).split('#').at(-1) ?? '');
    },
    countPendingOf: async (integration) => {
      const query = await queryOf(integration, 'PendingEventsTableName');
      const counting = { ...query, Select: 'COUNT' as const };
      let count = 0;
      for await (const { Count = 0 } of paginateQuery({ client }, counting)) count += Count;
      return count;
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
