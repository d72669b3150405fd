import { arn } from '../arn.ts';
import type { ParsedAwsRequest } from '../aws/aws-request.ts';
import { SES_PATH } from '../aws/mails.ts';
import { parseSelection, parseStatement } from '../aws/partiql.ts';
import type { Access } from './statements.ts';

type Json = Readonly<Record<string, unknown>>;

/** The name of a table's partition key; undefined for an unknown table. */
export type PartitionKeyOf = (table: string) => string | undefined;

/** The access that a request needs; none for APIs that our functions do not call. */
export const requestedAccess = (
  request: Pick<ParsedAwsRequest, 'method' | 'path' | 'query' | 'headers' | 'input'>,
  partitionKeyOf: PartitionKeyOf,
): readonly Access[] => {
  const [api = '', operation = ''] = String(request.headers['x-amz-target'] ?? '').split('.');
  const input = objectOf(request.input);
  if (api === 'AmazonSQS') return accessToQueue(operation, input);
  if (api === 'DynamoDB_20120810') return accessToTables(operation, input, partitionKeyOf);
  if (api === 'AWSEvents') return accessToBuses(operation, input);
  if (api === 'TrentService') return accessToKey(operation, input);
  if (request.path.startsWith(SES_PATH)) return accessToMail(input);
  const [, collection, name = ''] = request.path.split('/');
  return collection === 'schedules' ? accessToSchedule(request, decodeURIComponent(name)) : [];
};

const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (value as Json) : {};

/** Our functions name the key in each call, also to decrypt. */
const accessToKey = (operation: string, { KeyId, EncryptionContext }: Json): readonly Access[] => [
  {
    action: `kms:${operation}`,
    resource: String(KeyId),
    encryptionContext: objectOf(EncryptionContext),
  },
];

const accessToBuses = (operation: string, { Entries }: Json): readonly Access[] =>
  [...new Set(listOf(Entries).map(({ EventBusName }) => String(EventBusName)))].map((name) => ({
    action: `events:${operation}`,
    resource: arn('events', `event-bus/${name}`),
  }));

/** The sender's address stands for itself here; in AWS its domain may be the identity. */
const accessToMail = ({ ConfigurationSetName, FromEmailAddress }: Json): readonly Access[] =>
  [`identity/${FromEmailAddress}`, `configuration-set/${ConfigurationSetName}`].map((name) => ({
    action: 'ses:SendEmail',
    resource: arn('ses', name),
    fromAddress: String(FromEmailAddress),
  }));

/** A batch needs the action of its single operation: IAM has no actions for batches of SQS. */
const accessToQueue = (operation: string, { QueueUrl }: Json): readonly Access[] => [
  {
    action: `sqs:${operation.replace(/Batch$/, '')}`,
    resource: arn('sqs', String(QueueUrl).split('/').at(-1) ?? ''),
  },
];

const accessToTables = (
  operation: string,
  input: Json,
  partitionKeyOf: PartitionKeyOf,
): readonly Access[] => {
  const access = (action: string, table: string, items: readonly Json[]): Access => {
    const key = partitionKeyOf(table) ?? '';
    return {
      action: `dynamodb:${action}`,
      resource: arn('dynamodb', `table/${table}`),
      leadingKeys: items.flatMap((item) => textOf(item[key]) ?? []),
    };
  };
  switch (operation) {
    case 'BatchGetItem':
      return Object.entries(objectOf(input.RequestItems)).map(([table, request]) =>
        access(operation, table, listOf(objectOf(request).Keys)),
      );
    case 'BatchWriteItem':
      return Object.entries(objectOf(input.RequestItems)).map(([table, requests]) =>
        access(
          operation,
          table,
          listOf(requests).map(({ PutRequest, DeleteRequest }) =>
            objectOf(objectOf(PutRequest).Item ?? objectOf(DeleteRequest).Key),
          ),
        ),
      );
    // A transaction has no action of its own: each of its parts needs that of the single operation.
    case 'TransactWriteItems':
      return listOf(input.TransactItems).flatMap((part) =>
        Object.entries(part).map(([name, inner]) => {
          const { TableName, Item, Key } = objectOf(inner);
          const action = name === 'ConditionCheck' ? 'ConditionCheckItem' : `${name}Item`;
          return access(action, String(TableName), [objectOf(Item ?? Key)]);
        }),
      );
    // A batch of statements has no action of its own either: each needs that of its kind.
    case 'BatchExecuteStatement': {
      const statements = Map.groupBy(listOf(input.Statements), ({ Statement }) => Statement);
      return [...statements].flatMap(([text, alike]) => {
        const statement = parseStatement(text);
        if (statement === undefined) return [];
        const { verb, table, attributes } = statement;
        const items = alike.map(({ Parameters }) => {
          const values = listOf(Parameters);
          return Object.fromEntries(attributes.map((name, index) => [name, values[index] ?? {}]));
        });
        return access(`PartiQL${verb}`, table, items);
      });
    }
    case 'ExecuteStatement': {
      const selection = parseSelection(input.Statement);
      if (selection === undefined) return [];
      const { table, partitionKey } = selection;
      const items = listOf(input.Parameters).map((value) => ({ [partitionKey]: value }));
      return [access('PartiQLSelect', table, items)];
    }
    case 'Query':
      return [access(operation, String(input.TableName), [queriedKey(input, partitionKeyOf)])];
    default:
      return [access(operation, String(input.TableName), [objectOf(input.Item ?? input.Key)])];
  }
};

const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value : []);

/** The text of an attribute value. */
const textOf = (attribute: unknown): string | undefined => {
  const { S } = objectOf(attribute);
  return typeof S === 'string' ? S : undefined;
};

/** The partition key that a query's condition names: `<name> = :<value>`. */
const queriedKey = (input: Json, partitionKeyOf: PartitionKeyOf): Json => {
  const key = partitionKeyOf(String(input.TableName)) ?? '';
  const names = objectOf(input.ExpressionAttributeNames);
  const alias = Object.keys(names).find((name) => names[name] === key) ?? key;
  const value = new RegExp(`(?:^|[\\s(])${alias} *= *(:\\w+)`).exec(
    String(input.KeyConditionExpression),
  )?.[1];
  return value === undefined ? {} : { [key]: objectOf(input.ExpressionAttributeValues)[value] };
};

const SCHEDULE_ACTIONS: Readonly<Record<string, string>> = {
  POST: 'CreateSchedule',
  PUT: 'UpdateSchedule',
  DELETE: 'DeleteSchedule',
  GET: 'GetSchedule',
};

const accessToSchedule = (
  request: Pick<ParsedAwsRequest, 'method' | 'query' | 'input'>,
  name: string,
): readonly Access[] => {
  const input = objectOf(request.input);
  const group = String(input.GroupName ?? request.query.get('groupName') ?? 'default');
  const { RoleArn } = objectOf(input.Target);
  return [
    {
      action: `scheduler:${name ? SCHEDULE_ACTIONS[request.method] : 'ListSchedules'}`,
      resource: arn('scheduler', `schedule/${group}/${name || '*'}`),
    },
    // The creator of a schedule passes its role to the Scheduler.
    ...(RoleArn === undefined
      ? []
      : [
          {
            action: 'iam:PassRole',
            resource: String(RoleArn),
            passedTo: 'scheduler.amazonaws.com',
          },
        ]),
  ];
};
