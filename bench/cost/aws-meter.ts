import { BatchGetItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { AwsRequest } from 'local-aws/aws/aws-request.ts';
import type { Intercept } from 'local-aws/aws/endpoint.ts';
import { parseSelection, parseStatement } from 'local-aws/aws/partiql.ts';
import { type Item, itemBytes, sum } from './item-size.ts';

/** The calls of one action by one caller. */
export interface Usage {
  readonly by: string;
  readonly action: string;
  calls: number;
  writeUnits: number;
  readUnits: number;
  sqsRequests: number;
}

type Json = Record<string, unknown>;
type Units = Partial<Pick<Usage, 'writeUnits' | 'readUnits' | 'sqsRequests'>>;

const WRITE_UNIT_BYTES = 1_024;
const READ_UNIT_BYTES = 4_096;
const SQS_REQUEST_BYTES = 65_536;
const KEYS_OF_A_READ = 100;

const units = (bytes: number, unitBytes: number): number =>
  Math.max(1, Math.ceil(bytes / unitBytes));

/** SQS bills a request for each 64 KB. */
export const sqsRequestsFor = (bytes: number): number => units(bytes, SQS_REQUEST_BYTES);

/**
 * Stands before the AWS endpoint, and counts what the functions and the platform ask of DynamoDB and
 * SQS, in the units that AWS bills. Functions of a metered stage name themselves in each call.
 */
export class AwsMeter {
  #usages = new Map<string, Usage>();
  #updated: { table: string; Key: Item; usage: Usage }[] = [];
  readonly #unknown = new Set<string>();

  readonly intercept: Intercept = async (request, answer) => {
    const answered = await answer();
    const [, service, action = ''] = String(request.headers['x-amz-target']).match(TARGET) ?? [];
    const isPublishing = service === 'AmazonSQS' && /^SendMessage/.test(action);
    if (service === undefined || !(isOfFunction(request) || isPublishing)) return answered;
    const usage = this.#usageOf(isOfFunction(request) ? functionOf(request) : 'platform', action);
    usage.calls += 1;
    if (answered.status >= 300) return answered;
    const input = JSON.parse(String(request.body));
    const output = JSON.parse(String(answered.body) || '{}');
    this.#add(usage, this.#unitsOf(usage, input, output));
    return answered;
  };

  /** The usages since the last call. An updated item counts with its present size. */
  async takeUsages(client: DynamoDBClient): Promise<readonly Usage[]> {
    if (this.#unknown.size > 0) throw new Error(`Not metered: ${[...this.#unknown].join(', ')}`);
    const [usages, updated] = [[...this.#usages.values()], this.#updated];
    this.#usages = new Map();
    this.#updated = [];
    for (const table of new Set(updated.map((update) => update.table))) {
      const ofTable = updated.filter((update) => update.table === table);
      const sizes = await sizesOf(client, table, ofTable);
      for (const { Key, usage } of ofTable) {
        usage.writeUnits += units(sizes.get(keyName(Key)) ?? 0, WRITE_UNIT_BYTES);
      }
    }
    return usages;
  }

  #usageOf(by: string, action: string): Usage {
    const name = `${by} ${action}`;
    const usage = this.#usages.get(name) ?? {
      ...{ by, action, calls: 0 },
      ...{ writeUnits: 0, readUnits: 0, sqsRequests: 0 },
    };
    this.#usages.set(name, usage);
    return usage;
  }

  #add(usage: Usage, { writeUnits = 0, readUnits = 0, sqsRequests = 0 }: Units): void {
    usage.writeUnits += writeUnits;
    usage.readUnits += readUnits;
    usage.sqsRequests += sqsRequests;
  }

  #unitsOf(usage: Usage, input: Json, output: Json): Units {
    switch (usage.action) {
      case 'PutItem':
        return { writeUnits: units(itemBytes(input.Item as Item), WRITE_UNIT_BYTES) };
      case 'BatchWriteItem':
        return { writeUnits: sum(Object.values(input.RequestItems as Json).map(unitsOfWrites)) };
      case 'TransactWriteItems':
        return { writeUnits: 2 * unitsOfPuts(input.TransactItems) };
      case 'UpdateItem':
        // Its size is read when the usages are taken.
        this.#updated.push({ table: String(input.TableName), Key: input.Key as Item, usage });
        return {};
      case 'DeleteItem':
        return { writeUnits: 1 };
      case 'BatchExecuteStatement':
        return { writeUnits: unitsOfStatements(input.Statements) };
      case 'GetItem':
        return { readUnits: unitsOfRead(input, [(output.Item as Item) ?? {}]) };
      case 'Query': {
        const bytes = sum(((output.Items ?? []) as Item[]).map(itemBytes));
        return { readUnits: units(bytes, READ_UNIT_BYTES) * consistencyOf(input) };
      }
      case 'ExecuteStatement': {
        const read = {
          partitions: input.Parameters as Item[string][],
          items: output.Items as Item[],
        };
        return {
          readUnits: unitsOfSelection(parseSelection(input.Statement), read) * consistencyOf(input),
        };
      }
      case 'BatchGetItem':
        return { readUnits: unitsOfBatchRead(input, output) };
      case 'SendMessage':
        return { sqsRequests: sqsRequestsFor(messageBytes(input)) };
      case 'SendMessageBatch':
        return { sqsRequests: sqsRequestsFor(sum((input.Entries as Json[]).map(messageBytes))) };
      case 'ChangeMessageVisibilityBatch':
        return { sqsRequests: 1 };
      default:
        this.#unknown.add(usage.action);
        return {};
    }
  }
}

const TARGET = /^(AmazonSQS|DynamoDB_20120810)\.(\w+)$/;

/** The SDK clients of a function name the function in their user agent. */
const isOfFunction = ({ headers }: AwsRequest): boolean =>
  String(headers['user-agent']).startsWith('integrations/');

const functionOf = ({ headers }: AwsRequest): string =>
  String(headers['user-agent']).match(/^integrations\/(\S+)/)?.[1] ?? 'a function';

const unitsOfWrites = (writes: unknown): number =>
  sum(
    (writes as { PutRequest?: { Item: Item } }[]).map(({ PutRequest }) =>
      PutRequest ? units(itemBytes(PutRequest.Item), WRITE_UNIT_BYTES) : 1,
    ),
  );

/** Of the transactions that create integrations; a part that is no `Put` is taken as small. */
const unitsOfPuts = (parts: unknown): number =>
  sum(
    (parts as { Put?: { Item: Item } }[]).map(({ Put }) =>
      Put ? units(itemBytes(Put.Item), WRITE_UNIT_BYTES) : 1,
    ),
  );

/** A deletion of a small item takes one unit. */
const unitsOfStatements = (statements: unknown): number =>
  sum(
    (statements as { Statement: string; Parameters: Item[string][] }[]).map(
      ({ Statement, Parameters }) => {
        const { verb, attributes = [] } = parseStatement(Statement) ?? {};
        if (verb !== 'Insert') return 1;
        const named = attributes.flatMap((name, index) => {
          const value = Parameters[index];
          return value === undefined ? [] : [[name, value] as const];
        });
        return units(itemBytes(Object.fromEntries(named)), WRITE_UNIT_BYTES);
      },
    ),
  );

/** An eventually consistent read takes half as much. */
const consistencyOf = ({ ConsistentRead }: Json): number => (ConsistentRead === true ? 1 : 0.5);

/** An item that is not there takes as much as a small item. */
const unitsOfRead = (input: Json, items: readonly Item[]): number =>
  sum(items.map((item) => units(itemBytes(item), READ_UNIT_BYTES))) * consistencyOf(input);

/** As queries of each partition. */
const unitsOfSelection = (
  selection: ReturnType<typeof parseSelection>,
  { partitions, items }: { partitions: readonly Item[string][]; items: readonly Item[] },
): number =>
  sum(
    partitions.map((key) => {
      const isOf = (item: Item) => item[selection?.partitionKey ?? '']?.S === key?.S;
      return units(sum(items.filter(isOf).map(itemBytes)), READ_UNIT_BYTES);
    }),
  );

const unitsOfBatchRead = ({ RequestItems }: Json, { Responses }: Json): number =>
  sum(
    Object.entries(RequestItems as Record<string, Json>).map(([table, request]) => {
      const found = (Responses as Record<string, Item[]>)[table] ?? [];
      const missing = (request.Keys as unknown[]).length - found.length;
      return unitsOfRead(request, [...found, ...Array<Item>(missing).fill({})]);
    }),
  );

/** SQS counts the body, and each attribute's name, type and value. */
const messageBytes = ({ MessageBody, MessageAttributes = {} }: Json): number =>
  Buffer.byteLength(String(MessageBody)) +
  sum(
    Object.entries(MessageAttributes as Record<string, Record<string, string>>).map(
      ([name, { DataType = '', StringValue = '' }]) =>
        Buffer.byteLength(name + DataType + StringValue),
    ),
  );

const keyName = (key: Item): string =>
  JSON.stringify(Object.entries(key).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** The sizes of items as they are now, by `keyName`. */
const sizesOf = async (
  client: DynamoDBClient,
  table: string,
  updates: readonly { Key: Item }[],
): Promise<ReadonlyMap<string, number>> => {
  const keys = [...new Map(updates.map(({ Key }) => [keyName(Key), Key])).values()];
  const sizes = new Map<string, number>();
  for (let from = 0; from < keys.length; from += KEYS_OF_A_READ) {
    const Keys = keys.slice(from, from + KEYS_OF_A_READ);
    const { Responses } = await client.send(
      new BatchGetItemCommand({ RequestItems: { [table]: { Keys } } }),
    );
    for (const item of Responses?.[table] ?? []) {
      const names = Object.keys(Keys[0] ?? {});
      const key = Object.entries(item).filter(([name]) => names.includes(name));
      sizes.set(keyName(Object.fromEntries(key)), itemBytes(item));
    }
  }
  return sizes;
};
