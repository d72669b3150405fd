import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { AWS_REQUEST_LIMITS } from '../adapters/aws-clients.ts';
import { CognitoSignInAccounts } from '../adapters/cognito/cognito-sign-in-accounts.ts';
import { administrationPorts } from '../adapters/dynamodb/dynamodb-directory.ts';
import { SqsEventsQueue } from '../adapters/sqs/sqs-events-queue.ts';
import { type Administration, buildAdministration } from '../core/directory/administration.ts';
import type { SignInAccounts } from '../core/directory/identify-user.ts';
import type { PlatformEvent } from '../core/event/event.ts';
import { connectDeadLetterQueues, type DeadLetterQueues } from './dead-letter-queues.ts';
import { buildOverview, type Overview, overviewPorts } from './overview.ts';
import { createStageStacks } from './stage-stacks.ts';
import { readStageStatus, type StageStatus } from './stage-status.ts';
import type { Target } from './target.ts';

/** Reads the name of the table, queue or user pool only when a command asks for one of them. */
export interface Connection {
  readonly target: Target;
  administration(): Promise<Administration>;
  signIns(): Promise<SignInAccounts>;
  overview(): Promise<Overview>;
  deadLetters(): Promise<DeadLetterQueues>;
  status(now: Date): Promise<StageStatus>;
  eventsQueue(): Promise<{ send(event: PlatformEvent): Promise<string> }>;
}

/** Of every client of the AWS SDK. */
export type ClientConfig = typeof AWS_REQUEST_LIMITS & Target['clientConfig'];

/** Names from the command line; the connection reads other names from the stacks' outputs. */
export interface KnownNames {
  readonly directoryTable?: string;
  readonly eventsQueueUrl?: string;
}

export const connect = (target: Target, known: KnownNames): Connection => {
  const config = { ...AWS_REQUEST_LIMITS, ...target.clientConfig };
  const stacks = createStageStacks(target);
  const { findName } = stacks;
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
    status: (now) => readStageStatus(target.stage, { stacks, config, now }),
    eventsQueue: async () =>
      new SqsEventsQueue(
        new SQSClient(config),
        known.eventsQueueUrl ?? (await findName('EventsQueueUrl')),
      ),
  };
};
