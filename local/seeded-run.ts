import { randomBytes } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import {
  type Assemble,
  type LocalAws,
  type LocalAwsOptions,
  startLocalAws,
} from 'local-aws/local-aws.ts';
import { administrationPorts } from '../adapters/dynamodb/directory/administration-ports.ts';
import { SqsEventsQueue } from '../adapters/sqs/sqs-operator-queues.ts';
import { type Administration, buildAdministration } from '../core/directory/administration.ts';
import type { Role } from '../core/directory/user.ts';
import type { ConsoleAddresses } from './console/sign-in-addresses.ts';
import { awsClientConfig, type Endpoints } from './endpoints-file.ts';
import { assembleLocalStage } from './local-stage.ts';

/** A user of the customer, and the name by which the user signs in to the console. */
export interface SeededUser {
  readonly username: string;
  readonly user: string;
  readonly account: string;
  readonly role: Role;
}

const ada: SeededUser = { username: 'ada', user: 'u_ada', account: 'acme', role: 'admin' };
const bob: SeededUser = { username: 'bob', user: 'u_bob', account: 'acme-sms', role: 'member' };

export const SEEDED_USERS = [ada, bob] as const;

export interface Seeded {
  readonly account: string;
  readonly user: string;
  readonly adminToken: string;
  readonly memberToken: string;
}

/** Creates a customer with two users. With an issuer, the users sign in there. */
export const seed = async (
  administration: Administration,
  issuer: string | undefined,
): Promise<Seeded> => {
  const account = await administration.createAccount(ada.account);
  await administration.createAccount(bob.account, account.name);
  for (const { username, user, account, role } of SEEDED_USERS) {
    await administration.createUser(user, account, role);
    await administration.setEmail(user, `${username}@acme.example`);
    if (issuer !== undefined) {
      await administration.identifyUser(user, { issuer, subject: username });
    }
  }
  await administration.setSignature(ada.user, 'Ada Lovelace, Acme Inc. Reply STOP to opt out.');
  const adas = await administration.issueToken(ada.user, ada.role, 'npm start');
  const bobs = await administration.issueToken(bob.user, bob.role, 'npm start');
  return {
    account: account.name,
    user: ada.user,
    adminToken: adas.token,
    memberToken: bobs.token,
  };
};

export interface SeededRun
  extends Pick<LocalAws, 'crash' | 'mailed' | 'outputs' | 'published' | 'stop'> {
  readonly endpoints: Endpoints;
  readonly customer: Seeded;
  readonly events: SqsEventsQueue;
}

export interface SeededRunOptions extends LocalAwsOptions {
  /** A web console that runs already, for users who sign in. */
  console?: ConsoleAddresses;
}

export const startSeededRun = async (
  { console: addresses, ...options }: SeededRunOptions,
  assemble: Assemble = assembleLocalStage(addresses),
): Promise<SeededRun> => {
  const platform = {
    accessKeyId: 'platform',
    // Another in each run: pages of a browser could sign with one that they know.
    secretAccessKey: randomBytes(24).toString('base64url'),
  };
  const userArn = 'arn:aws:sts::000000000000:assumed-role/platform/backend';
  const run = await startLocalAws({ apiCallers: [{ ...platform, userArn }], ...options }, assemble);
  try {
    return await seeded(run, { platform, issuer: addresses?.signIn.issuer });
  } catch (fault) {
    await run.stop();
    throw fault;
  }
};

const seeded = async (
  run: LocalAws,
  { issuer, platform }: Pick<Endpoints, 'platform'> & { issuer: string | undefined },
): Promise<SeededRun> => {
  const { api, aws, certificates, region, crash, mailed, outputs, published, stop } = run;
  const clientConfig = awsClientConfig(run);
  const eventsQueueUrl = output(run, 'EventsQueueUrl');
  const customer = await seed(
    buildAdministration(
      administrationPorts(new DynamoDBClient(clientConfig), output(run, 'DirectoryTableName')),
    ),
    issuer,
  );
  return {
    endpoints: { api, aws, region, eventsQueueUrl, platform, ...customer, ...certificates },
    customer,
    events: new SqsEventsQueue(new SQSClient(clientConfig), eventsQueueUrl),
    crash,
    mailed,
    outputs,
    published,
    stop,
  };
};

const output = ({ outputs }: LocalAws, key: string): string => {
  const value = outputs[key];
  if (value === undefined) throw new Error(`No stack has an output ${key}.`);
  return value;
};
