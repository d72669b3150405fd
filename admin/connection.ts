import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { AWS_REQUEST_LIMITS } from '../adapters/aws-clients.ts';
import { readStackOutputs } from '../adapters/cloudformation/stack-outputs.ts';
import { administrationPorts } from '../adapters/dynamodb/dynamodb-directory.ts';
import { SqsEventsQueue } from '../adapters/sqs/sqs-events-queue.ts';
import { type Administration, buildAdministration } from '../core/directory/administration.ts';
import { AdministrationError } from '../core/directory/administration-error.ts';
import type { PlatformEvent } from '../core/event/event.ts';
import type { Target } from './target.ts';

/** Reads the name of the table or the queue only when a command asks for one of them. */
export interface Connection {
  readonly target: Target;
  administration(): Promise<Administration>;
  eventsQueue(): Promise<{ send(event: PlatformEvent): Promise<string> }>;
}

/** Names from the command line; the connection reads other names from the stacks' outputs. */
export interface KnownNames {
  readonly directoryTable?: string;
  readonly eventsQueueUrl?: string;
}

export const connect = (target: Target, known: KnownNames): Connection => {
  const config = { ...AWS_REQUEST_LIMITS, ...target.clientConfig };
  return {
    target,
    administration: async () =>
      buildAdministration(
        administrationPorts(
          new DynamoDBClient(config),
          known.directoryTable ??
            (await findName(target, { stack: 'state', output: 'DirectoryTableName' })),
        ),
      ),
    eventsQueue: async () =>
      new SqsEventsQueue(
        new SQSClient(config),
        known.eventsQueueUrl ??
          (await findName(target, { stack: 'service', output: 'EventsQueueUrl' })),
      ),
  };
};

const OPTION_INSTEAD = {
  DirectoryTableName: '--directory-table',
  EventsQueueUrl: '--events-queue-url',
};

const findName = async (
  { stage, place, clientConfig }: Target,
  wanted: { stack: 'state' | 'service'; output: keyof typeof OPTION_INSTEAD },
): Promise<string> => {
  const stackName = `integrations-${stage}-${wanted.stack}`;
  const client = new CloudFormationClient({ ...AWS_REQUEST_LIMITS, ...clientConfig });
  const outputs = await readStackOutputs(client, stackName);
  const name = outputs?.[wanted.output];
  if (name !== undefined) return name;
  const missing =
    outputs === undefined
      ? `There is no stack ${stackName}`
      : `Stack ${stackName} has no output ${wanted.output}`;
  throw new AdministrationError(
    `${missing} in ${place}: choose another with --stage, or give ${OPTION_INSTEAD[wanted.output]}.`,
  );
};
