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
import type { Target } from './target.ts';

/** Reads the name of the table, queue or user pool only when a command asks for one of them. */
export interface Connection {
  readonly target: Target;
  administration(): Promise<Administration>;
  signIns(): Promise<SignInAccounts>;
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
          known.directoryTable ?? (await findName(target, 'DirectoryTableName')),
        ),
      ),
    signIns: async () =>
      new CognitoSignInAccounts(new CognitoIdentityProviderClient(config), {
        userPoolId: await findName(target, 'UserPoolId'),
        issuer: await findName(target, 'SignInIssuer'),
      }),
    eventsQueue: async () =>
      new SqsEventsQueue(
        new SQSClient(config),
        known.eventsQueueUrl ?? (await findName(target, 'EventsQueueUrl')),
      ),
  };
};

const IDENTIFY_INSTEAD = 'say who signs in with "users identify"';

/** The stack that has an output, and what else helps where it is missing. */
const OUTPUTS = {
  DirectoryTableName: { stack: 'state', instead: 'give --directory-table' },
  EventsQueueUrl: { stack: 'service', instead: 'give --events-queue-url' },
  UserPoolId: { stack: 'state', instead: IDENTIFY_INSTEAD },
  SignInIssuer: { stack: 'state', instead: IDENTIFY_INSTEAD },
} as const;

const findName = async (
  { stage, place, clientConfig }: Target,
  output: keyof typeof OUTPUTS,
): Promise<string> => {
  const { stack, instead } = OUTPUTS[output];
  const stackName = `integrations-${stage}-${stack}`;
  const client = new CloudFormationClient({ ...AWS_REQUEST_LIMITS, ...clientConfig });
  const outputs = await readStackOutputs(client, stackName);
  const name = outputs?.[output];
  if (name !== undefined) return name;
  const missing =
    outputs === undefined
      ? `There is no stack ${stackName}`
      : `Stack ${stackName} has no output ${output}`;
  throw new AdministrationError(
    `${missing} in ${place}: choose another with --stage, or ${instead}.`,
  );
};
