import type { Queues } from '../aws/queues.ts';
import type { Tables } from '../aws/tables.ts';
import type { FunctionPool } from '../functions/function-pool.ts';
import { tableOfStream } from '../template/resource-types.ts';
import { parseProperties, type Resource } from '../template/stacks.ts';
import { MappingProperties, startEventSourceMapping } from './event-source-mapping.ts';
import { StreamMappingProperties, startStreamMapping } from './stream-mapping.ts';

interface MappingParts {
  queues: Queues;
  tables: Tables;
  pool: FunctionPool;
  /** Gets what is wrong with the mapping or with the function's responses. */
  onProblem: (reason: string) => void;
}

/** Starts the event source mapping of a queue or of a table's stream. Returns what ends it. */
export const startMapping = (resource: Resource, parts: MappingParts): (() => Promise<void>) => {
  const { EventSourceArn: source } = resource.properties;
  const stream = parts.tables.streamOf(tableOfStream(String(source)));
  return stream
    ? startStreamMapping(parseProperties(resource, StreamMappingProperties, IGNORED), {
        ...parts,
        stream,
      })
    : startEventSourceMapping(parseProperties(resource, MappingProperties, IGNORED), parts);
};

const IGNORED = ['Tags'];
