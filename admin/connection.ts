import { setTimeout as pause } from 'node:timers/promises';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SNSClient } from '@aws-sdk/client-sns';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { readAlarms } from '../adapters/cloudwatch/stage-metrics.ts';
import { CognitoSignInAccounts } from '../adapters/cognito/cognito-sign-in-accounts.ts';
import { DynamoDbDeliveryIndex } from '../adapters/dynamodb/delivery-index/delivery-index.ts';
import { DynamoDbDeliveryLogReader } from '../adapters/dynamodb/delivery-log/delivery-log-reader.ts';
import { administrationPorts } from '../adapters/dynamodb/directory/administration-ports.ts';
import { DynamoDbIntegrationLists } from '../adapters/dynamodb/integrations/integration-lists.ts';
import { DynamoDbPendingView } from '../adapters/dynamodb/pending-events/pending-view.ts';
import { readConfirmedSubscriptions } from '../adapters/sns/alarm-topics.ts';
import { SqsEventsQueue } from '../adapters/sqs/sqs-operator-queues.ts';
import {
  buildListObserved,
  buildObserveIntegration,
  type ObservationPorts,
} from '../core/delivery/reading/observe-integrations.ts';
import { buildGetDelivery } from '../core/delivery/reading/read-deliveries.ts';
import { buildSearchDeliveries } from '../core/delivery/search/search-deliveries.ts';
import { type Account, isOrganisation } from '../core/directory/account.ts';
import { type Administration, buildAdministration } from '../core/directory/administration.ts';
import type { SignInAccounts } from '../core/directory/identify-user.ts';
import type { UserPool } from '../core/directory/remove-user.ts';
import type { PlatformEvent } from '../core/event/event.ts';
import type { PortsOf } from '../core/integration/integrations-api.ts';
import { AdministrationError } from '../core/refusal.ts';
import { type AccountRemoval, connectAccountRemoval } from './account-removal.ts';
import { awsChecks } from './checks/aws-checks.ts';
import { canaryCheck } from './checks/canary-check.ts';
import { type CheckResult, runChecks } from './checks/check.ts';
import { webChecks } from './checks/web-checks.ts';
import { readEventSources } from './event-sources.ts';
import { faultLine } from './fault-line.ts';
import type { ImportLines } from './import-lines.ts';
import { connectIntegrationChanges, type IntegrationChanges } from './integration-changes.ts';
import { connectImport } from './integration-import.ts';
import {
  buildTroubleSchedules,
  connectRetrySchedules,
  type TroubleSchedules,
} from './retry-schedules.ts';
import { connectDeadLetterQueues, type DeadLetterQueues } from './stage-queues.ts';
import { createStageStacks, STACKS } from './stage-stacks.ts';
import { readStageStatus, type StageStatus } from './stage-status.ts';
import { clientConfigOf, type Target } from './target.ts';

/** Reads the name of a table, queue or user pool when a command needs it. */
export interface Connection {
  readonly target: Target;
  administration(): Promise<Administration>;
  signIns(): Promise<SignInAccounts>;
  consoleUrl(): Promise<string>;
  userPool(): Promise<UserPool>;
  accountRemoval(): Promise<AccountRemoval>;
  /** How long the stage keeps logs. */
  logRetentionDays(): Promise<number>;
  overview(): Promise<Overview>;
  deadLetters(): Promise<DeadLetterQueues>;
  troubleSchedules(): Promise<TroubleSchedules>;
  integrationChanges(): Promise<IntegrationChanges>;
  importLines(): Promise<ImportLines>;
  status(now: Date): Promise<StageStatus>;
  verify(given: { newEventId(): string; now(): Date }): Promise<readonly CheckResult[]>;
  eventsQueue(): Promise<{ send(event: PlatformEvent): Promise<string> }>;
}

export const connect = (target: Target): Connection => {
  const config = clientConfigOf(target);
  const stacks = createStageStacks(target);
  const { findName } = stacks;
  const signIns = async () =>
    new CognitoSignInAccounts(
      new CognitoIdentityProviderClient({ ...config, ...AT_THE_RATE_OF_THE_POOL }),
      { userPoolId: await findName('UserPoolId'), issuer: await findName('SignInIssuer') },
    );
  const userPool = async () =>
    (await stacks.findNameIfAny('UserPoolId')) === undefined ? undefined : signIns();
  const connection: Connection = {
    target,
    administration: async () =>
      buildAdministration(
        administrationPorts(new DynamoDBClient(config), await findName('DirectoryTableName')),
      ),
    signIns,
    userPool,
    accountRemoval: async () =>
      connectAccountRemoval(config, {
        findName,
        directoryTable: await findName('DirectoryTableName'),
        pool: await userPool(),
      }),
    consoleUrl: () => findName('ConsoleUrl'),
    logRetentionDays: async () => Number(await findName('LogRetentionDays')),
    overview: () => connectOverview(config, findName),
    deadLetters: async () => connectDeadLetterQueues(config, stacks),
    troubleSchedules: async () =>
      buildTroubleSchedules({
        integrations: new DynamoDbIntegrationLists(
          DynamoDBDocumentClient.from(new DynamoDBClient(config)),
          await findName('IntegrationsTableName'),
        ),
        schedules: await connectRetrySchedules(config, findName),
      }),
    integrationChanges: () => connectIntegrationChanges(config, findName),
    importLines: () =>
      connectImport(config, {
        stage: target.stage,
        findName,
        requireAccount: (name) => primaryAccount(connection, name),
      }),
    status: (now) => readStageStatus(target.stage, { stacks, config, now }),
    verify: (given) => verifyStage(connection, { ...given, config, stacks }),
    eventsQueue: async () =>
      new SqsEventsQueue(new SQSClient(config), await findName('EventsQueueUrl')),
  };
  return connection;
};

/** Cognito takes some tens of changes a second: a removal of many users is slowed down. */
const AT_THE_RATE_OF_THE_POOL = { maxAttempts: 10, retryMode: 'adaptive' } as const;

/** Every use case by which operators see customers' integrations and deliveries. */
export const buildOverview = (
  ports: ObservationPorts &
    PortsOf<typeof buildGetDelivery> &
    PortsOf<typeof buildSearchDeliveries>,
) => ({
  listIntegrations: buildListObserved(ports),
  showIntegration: buildObserveIntegration(ports),
  getDelivery: buildGetDelivery(ports),
  searchDeliveries: buildSearchDeliveries(ports),
});

type Overview = ReturnType<typeof buildOverview>;

type Stacks = ReturnType<typeof createStageStacks>;

const connectOverview = async (
  config: ReturnType<typeof clientConfigOf>,
  findName: Stacks['findName'],
): Promise<Overview> => {
  const [integrations, pendingEvents, deliveryLog, deliveryIndex] = await Promise.all([
    findName('IntegrationsTableName'),
    findName('PendingEventsTableName'),
    findName('DeliveryLogTableName'),
    findName('DeliveryIndexTableName'),
  ]);
  const documents = DynamoDBDocumentClient.from(new DynamoDBClient(config));
  return buildOverview({
    integrations: new DynamoDbIntegrationLists(documents, integrations),
    pending: new DynamoDbPendingView(documents, pendingEvents),
    deliveryLogReader: new DynamoDbDeliveryLogReader(documents, deliveryLog, {
      now: () => new Date(),
    }),
    index: new DynamoDbDeliveryIndex(documents, deliveryIndex),
    now: () => new Date(),
  });
};

type Verification = Parameters<Connection['verify']>[0] & {
  readonly config: ReturnType<typeof clientConfigOf>;
  readonly stacks: Stacks;
};

const verifyStage = (
  connection: Connection,
  { config, stacks, ...given }: Verification,
): Promise<readonly CheckResult[]> => {
  const { target } = connection;
  const output = async (name: string) => (await stacks.stack('service')).outputs[name];
  const ports = {
    ...connection,
    ...given,
    fetch,
    pause: (ms: number, signal: AbortSignal) => pause(ms, undefined, { signal }),
    apiUrl: () => stacks.findName('ApiUrl'),
    consoleUrl: () => output('ConsoleUrl'),
    canaryAccount: () => output('CanaryAccount'),
    stacks: () => Promise.all(STACKS.map((kind) => stacks.stack(kind))),
    eventSources: () => readEventSources(config, stacks),
    alarms: () => readAlarms(new CloudWatchClient(config), `integrations-${target.stage}-`),
    mustBeHeard: target.stage === 'prod',
    confirmedSubscriptions: (topicArn: string) =>
      readConfirmedSubscriptions(new SNSClient(config), topicArn),
  };
  const checks = [...awsChecks(ports), ...webChecks(ports), canaryCheck(ports)];
  return runChecks(checks, (fault) => faultLine(fault, target));
};

/** Throws for an account that does not exist, and for one below another: it has no integrations. */
export const primaryAccount = async (connection: Connection, name: string): Promise<Account> => {
  const account = await (await connection.administration()).findAccount(name);
  if (isOrganisation(account)) return account;
  throw new AdministrationError(
    `Account "${name}" is below "${account.primaryAccount}", which has the integrations: name that account.`,
  );
};
