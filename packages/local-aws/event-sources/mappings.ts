import { arn } from '../arn.ts';
import type { Queues } from '../aws/queues.ts';
import type { Tables } from '../aws/tables.ts';
import type { FunctionPool } from '../functions/function-pool.ts';
import type { AccessGuard } from '../iam/access-guard.ts';
import { tableOfStream } from '../template/stack-scope.ts';
import { parseProperties, type Resource } from '../template/stacks.ts';
import { MappingProperties, startEventSourceMapping } from './event-source-mapping.ts';
import { StreamMappingProperties, startStreamMapping } from './stream-mapping.ts';

interface MappingParts {
  queues: Queues;
  tables: Tables;
  access: AccessGuard;
  poolOf: (functionArn: string) => FunctionPool;
  /** Called with each problem of a mapping or of the responses of its function. */
  onProblem: (functionName: string, reason: string) => void;
}

/** Starts the event source mapping of a queue or of a table's stream. Returns what ends it. */
export const startMapping = (resource: Resource, parts: MappingParts): (() => Promise<void>) => {
  const stream = parts.tables.streamOf(tableOfStream(String(resource.properties.EventSourceArn)));
  if (stream) {
    const mapping = parseProperties(resource, StreamMappingProperties, IGNORED_OF_STREAM);
    return startStreamMapping(mapping, { ...optionsOf(mapping, parts, POLLING.dynamodb), stream });
  }
  const mapping = parseProperties(resource, MappingProperties, IGNORED);
  return startEventSourceMapping(mapping, optionsOf(mapping, parts, POLLING.sqs));
};

const IGNORED = ['Tags'];
/** A run is younger than the oldest record that Lambda would discard. */
const IGNORED_OF_STREAM = [...IGNORED, 'MaximumRecordAgeInSeconds'];

/** The actions by which Lambda reads a queue or a table's stream, with the function's role. */
const POLLING = {
  sqs: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
  dynamodb: [
    'dynamodb:DescribeStream',
    'dynamodb:GetRecords',
    'dynamodb:GetShardIterator',
    'dynamodb:ListStreams',
  ],
};

const optionsOf = (
  { FunctionName, EventSourceArn }: { FunctionName: string; EventSourceArn: string },
  { access, queues, poolOf, onProblem }: MappingParts,
  actions: readonly string[],
) => {
  const pool = poolOf(arn('lambda', `function:${FunctionName}`));
  for (const action of actions) {
    if (access.allows(pool.settings.role, { action, resource: EventSourceArn })) continue;
    throw new Error(`The role of ${FunctionName} does not allow ${action} on ${EventSourceArn}.`);
  }
  return { queues, pool, onProblem: (reason: string) => onProblem(pool.settings.name, reason) };
};
