import { join } from 'node:path';
import { z } from 'zod';
import type { EventBuses } from './aws/event-buses.ts';
import type { Keys } from './aws/keys.ts';
import type { Queues } from './aws/queues.ts';
import type { Tables } from './aws/tables.ts';
import { startMapping } from './event-sources/mappings.ts';
import { Concurrency } from './functions/concurrency.ts';
import { FunctionFailure } from './functions/function-instance.ts';
import { FunctionPool, type PoolOptions } from './functions/function-pool.ts';
import { functionSettings } from './functions/function-settings.ts';
import type { AccessGuard } from './iam/access-guard.ts';
import { readApiDefinition } from './rest-api/api-definition.ts';
import type { ApiCaller } from './rest-api/request-signature.ts';
import { createRestApi, type RestApiOptions } from './rest-api/rest-api.ts';
import { parseScheduleDefinition } from './scheduler/schedule-definition.ts';
import type { Schedules } from './scheduler/schedules.ts';
import { parseProperties, type ResolvedStack, type Resource } from './template/stacks.ts';

export interface RunningStacksOptions {
  queues: Queues;
  tables: Tables;
  keys: Keys;
  buses: EventBuses;
  schedules: Schedules;
  access: AccessGuard;
  sandboxes: Omit<PoolOptions, 'logFile' | 'onFailure'>;
  logDirectory: string;
  apiCallers: readonly ApiCaller[];
  onFailure: (functionName: string, failure: FunctionFailure) => void;
}

export interface RunningStacks {
  pools: ReadonlyMap<string, FunctionPool>;
  restApi: ReturnType<typeof createRestApi> | undefined;
  stop(): Promise<void>;
}

/** Creates what the stacks have: tables, queues, event buses, schedules, functions and REST API. */
export const runStacks = async (
  stacks: readonly ResolvedStack[],
  options: RunningStacksOptions,
): Promise<RunningStacks> => {
  const resources = stacks.flatMap((stack) => stack.resources);
  const ofType = (wanted: string) => resources.filter(({ type }) => type === wanted);
  await Promise.all(
    ofType('AWS::DynamoDB::Table').map((table) => createTable(table, options.tables)),
  );
  for (const { name, properties } of ofType('AWS::SQS::Queue')) {
    options.queues.create(name, queueAttributes(properties));
  }
  for (const { arn } of ofType('AWS::KMS::Key')) options.keys.create(arn);
  for (const { name } of ofType('AWS::Events::EventBus')) options.buses.create(name);
  for (const { name } of ofType('AWS::Scheduler::ScheduleGroup')) {
    options.schedules.createGroup(name);
  }
  const pools = createPools(stacks, options);
  const poolOf = (functionArn: string): FunctionPool => {
    const pool = pools.get(functionArn);
    if (!pool) throw new Error(`There is no function ${functionArn}`);
    return pool;
  };
  const mappings = ofType('AWS::Lambda::EventSourceMapping').map((resource) =>
    startMapping(resource, {
      ...options,
      poolOf,
      onProblem: (functionName, problem) =>
        options.onFailure(functionName, new FunctionFailure('EventSourceMapping', problem)),
    }),
  );
  for (const { name, properties } of ofType('AWS::Scheduler::Schedule')) {
    options.schedules.create(parseScheduleDefinition({ ...properties, Name: name }));
  }
  return {
    pools,
    restApi: createApi(resources, pools, { ...options, poolOf }),
    stop: async () => {
      // The mappings first. A batch whose function is stopped meanwhile stays in its queue.
      const ended = mappings.map((stopMapping) => stopMapping());
      await Promise.all([...pools.values()].map((pool) => pool.stop()));
      await Promise.all(ended);
    },
  };
};

const TableProperties = z.strictObject({
  AttributeDefinitions: z.array(z.unknown()),
  KeySchema: z.array(z.strictObject({ AttributeName: z.string(), KeyType: z.string() })),
  BillingMode: z.literal('PAY_PER_REQUEST'),
  StreamSpecification: z
    .strictObject({ StreamViewType: z.literal('NEW_AND_OLD_IMAGES') })
    .optional(),
});

/** No backups, encryption or expiry: a run keeps its items until it stops. */
const IGNORED_OF_TABLE = [
  'DeletionProtectionEnabled',
  'PointInTimeRecoverySpecification',
  'SSESpecification',
  'TableName',
  'Tags',
  'TimeToLiveSpecification',
];

const createTable = (table: Resource, tables: Tables): Promise<void> =>
  tables.create({
    TableName: table.name,
    ...parseProperties(table, TableProperties, IGNORED_OF_TABLE),
  });

/** In the API of SQS, the value of an attribute is a string, and an object is JSON in a string. */
const queueAttributes = (properties: Record<string, unknown>): Record<string, string> => {
  const { QueueName: _name, Tags: _tags, ...attributes } = properties;
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
  );
};

const createPools = (
  stacks: readonly ResolvedStack[],
  { logDirectory, onFailure, sandboxes }: RunningStacksOptions,
): ReadonlyMap<string, FunctionPool> => {
  const resources = stacks.flatMap((stack) => stack.resources);
  const assets = new Map(stacks.flatMap((stack) => [...stack.assets]));
  const functions = resources.filter(({ type }) => type === 'AWS::Lambda::Function');
  return new Map(
    functions.map((resource) => {
      const settings = functionSettings(resource, assets);
      const pool = new FunctionPool(settings, {
        ...sandboxes,
        logFile: join(logDirectory, `${settings.name}.log`),
        onFailure: (failure) => onFailure(settings.name, failure),
      });
      return [settings.arn, pool];
    }),
  );
};

const createApi = (
  resources: readonly Resource[],
  pools: ReadonlyMap<string, FunctionPool>,
  { apiCallers, onFailure, poolOf }: RunningStacksOptions & Pick<RestApiOptions, 'poolOf'>,
) => {
  const definition = readApiDefinition(resources);
  const onMalformedResponse = (functionName: string, problem: string) =>
    onFailure(functionName, new FunctionFailure('RestApi', problem));
  const concurrency = new Concurrency([...pools.values()]);
  return (
    definition &&
    createRestApi(definition, { poolOf, onMalformedResponse, concurrency, callers: apiCallers })
  );
};
