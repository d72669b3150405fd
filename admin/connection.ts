import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { AWS_REQUEST_LIMITS } from '../adapters/aws-clients.ts';
import { readStackOutputs } from '../adapters/cloudformation/stack-outputs.ts';
import { CognitoSignInAccounts } from '../adapters/cognito/cognito-sign-in-accounts.ts';
import { administrationPorts } from '../adapters/dynamodb/dynamodb-directory.ts';
import { SqsEventsQueue } from '../adapters/sqs/sqs-events-queue.ts';
import { type Administration, buildAdministration } from '../core/directory/administration.ts';
import { AdministrationError } from '../core/directory/administration-error.ts';
import type { SignInAccounts } from '../core/directory/invite-user.ts';
import type { PlatformEvent } from '../core/event/event.ts';
import { connectDeadLetterQueues, type DeadLetterQueues } from './dead-letter-queues.ts';
import { buildOverview, type Overview, overviewPorts } from './overview.ts';
import type { Target } from './target.ts';

/** Reads the name of the table, queue or user pool only when a command asks for one of them. */
export interface Connection {
  readonly target: Target;
  administration(): Promise<Administration>;
  signIns(): Promise<SignInAccounts>;
  overview(): Promise<Overview>;
  deadLetters(): Promise<DeadLetterQueues>;
  eventsQueue(): Promise<{ send(event: PlatformEvent): Promise<string> }>;
}

/** Names from the command line; the connection reads other names from the stacks' outputs. */
export interface KnownNames {
  readonly directoryTable?: string;
  readonly eventsQueueUrl?: string;
}

export const connect = (target: Target, known: KnownNames): Connection => {
  const config = { ...AWS_REQUEST_LIMITS, ...target.clientConfig };
  const findName = nameFinder(target);
  return {
    target,
    administration: async () =>
      buildAdministration(
        administrationPorts(
          new DynamoDBClient(config),
          known.directoryTable ?? (await findName('DirectoryTableName')),
        ),
      ),
    signIns: async () =>
      new CognitoSignInAccounts(new CognitoIdentityProviderClient(config), {
        userPoolId: await findName('UserPoolId'),
        issuer: await findName('SignInIssuer'),
      }),
    overview: async () => {
      const [integrations, pendingEvents, deliveryLog] = await Promise.all([
        findName('IntegrationsTableName'),
        findName('PendingEventsTableName'),
        findName('DeliveryLogTableName'),
      ]);
      const names = { integrations, pendingEvents, deliveryLog };
      return buildOverview(overviewPorts(new DynamoDBClient(config), names));
    },
    deadLetters: async () => connectDeadLetterQueues(config, findName),
    eventsQueue: async () =>
      new SqsEventsQueue(
        new SQSClient(config),
        known.eventsQueueUrl ?? (await findName('EventsQueueUrl')),
      ),
  };
};

const ANOTHER_STAGE = 'choose another with --stage';
const IDENTIFY_INSTEAD = `${ANOTHER_STAGE}, or say who signs in with "users identify"`;

/** The stack that has an output, and what else helps where it is missing. */
const OUTPUTS = {
  IntegrationsTableName: { stack: 'state', instead: ANOTHER_STAGE },
  PendingEventsTableName: { stack: 'state', instead: ANOTHER_STAGE },
  DeliveryLogTableName: { stack: 'state', instead: ANOTHER_STAGE },
  EventsDeadLetterQueueUrl: { stack: 'service', instead: ANOTHER_STAGE },
  DeliveriesQueueUrl: { stack: 'service', instead: ANOTHER_STAGE },
  DeliveriesDeadLetterQueueUrl: { stack: 'service', instead: ANOTHER_STAGE },
  SlowLaneQueueUrl: { stack: 'service', instead: ANOTHER_STAGE },
  SlowLaneDeadLetterQueueUrl: { stack: 'service', instead: ANOTHER_STAGE },
  ReplayQueueUrl: { stack: 'service', instead: ANOTHER_STAGE },
  ReplayDeadLetterQueueUrl: { stack: 'service', instead: ANOTHER_STAGE },
  RetryQueueUrl: { stack: 'service', instead: ANOTHER_STAGE },
  RetryDeadLetterQueueUrl: { stack: 'service', instead: ANOTHER_STAGE },
  ScheduleDeadLetterQueueUrl: { stack: 'service', instead: ANOTHER_STAGE },
  LogStreamDeadLetterQueueUrl: { stack: 'service', instead: ANOTHER_STAGE },
  DirectoryTableName: { stack: 'state', instead: `${ANOTHER_STAGE}, or give --directory-table` },
  EventsQueueUrl: { stack: 'service', instead: `${ANOTHER_STAGE}, or give --events-queue-url` },
  UserPoolId: { stack: 'service', instead: IDENTIFY_INSTEAD },
  SignInIssuer: { stack: 'service', instead: IDENTIFY_INSTEAD },
} as const;

/** Reads each stack once, however many of its outputs a command asks for. */
const nameFinder = ({ stage, place, clientConfig }: Target) => {
  const client = new CloudFormationClient({ ...AWS_REQUEST_LIMITS, ...clientConfig });
  const reads = new Map<string, ReturnType<typeof readStackOutputs>>();
  return async (output: keyof typeof OUTPUTS): Promise<string> => {
    const { stack, instead } = OUTPUTS[output];
    const stackName = `integrations-${stage}-${stack}`;
    const read = reads.get(stackName) ?? readStackOutputs(client, stackName);
    reads.set(stackName, read);
    const outputs = await read;
    const name = outputs?.[output];
    if (name !== undefined) return name;
    const missing =
      outputs === undefined
        ? `There is no stack ${stackName}`
        : `Stack ${stackName} has no output ${output}`;
    throw new AdministrationError(`${missing} in ${place}: ${instead}.`);
  };
};
