import { LambdaClient } from '@aws-sdk/client-lambda';
import {
  readSourceMappings,
  type SourceMapping,
} from '../adapters/lambda/event-source-mappings.ts';
import { QUEUES } from './stage-queues.ts';
import type { StageStacks } from './stage-stacks.ts';
import type { ClientConfig } from './target.ts';

/** A queue or a stream of a stage, and how Lambda reads it: by one mapping, as deployed. */
export interface EventSource {
  readonly name: string;
  readonly mappings: readonly Pick<SourceMapping, 'state' | 'lastResult'>[];
}

/** By the output with the name of the table. */
const STREAMS = {
  'log-stream': 'DeliveryLogTableName',
  'integration-stream': 'IntegrationsTableName',
} as const;

export const readEventSources = async (
  config: ClientConfig,
  { stack, findName }: StageStacks,
): Promise<readonly EventSource[]> => {
  const { outputs } = await stack('service');
  const queues = QUEUES.filter(({ isDeadLetterQueue }) => !isDeadLetterQueue).flatMap(
    ({ queue, output }) => {
      const url = outputs[output];
      return url === undefined ? [] : [{ name: queue, part: url.slice(url.lastIndexOf('/') + 1) }];
    },
  );
  const streams = Object.entries(STREAMS).map(async ([name, output]) => ({
    name,
    part: await findName(output),
  }));
  const sources = [...queues, ...(await Promise.all(streams))];
  const mappings = await readSourceMappings(new LambdaClient(config));
  return sources.map(({ name, part }) => ({
    name,
    mappings: mappings.filter(({ source }) => source.split(/[:/]/).includes(part)),
  }));
};
