import { Duration } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type * as ChangeApi from '../../lambdas/api/change-api.ts';
import type * as ReadApi from '../../lambdas/api/read-api.ts';
import type { ApiFunction } from '../../lambdas/api/runtime/route.ts';
import type * as SendApi from '../../lambdas/api/send-api.ts';
import type * as ServeReference from '../../lambdas/api/serve-reference.ts';
import type * as AuthorizeRequest from '../../lambdas/authorize-request/compose.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { ServiceFunction } from '../constructs/service-function.ts';
import {
  changeTrouble,
  guardAddresses,
  retryIntegrations,
  sealSecrets,
  showAccounts,
} from './capabilities.ts';
import { directoryPermission, keyPermission, onTable, toQueue } from './permissions.ts';
import type { ServiceParts } from './service-parts.ts';

/** The function in front of every route that needs a token. */
export const createAuthorizeRequest = (scope: Construct, parts: ServiceParts): LambdaFunction => {
  const { settings, state, signIn } = parts;
  return new ServiceFunction<typeof AuthorizeRequest>(scope, 'AuthorizeRequest', {
    name: 'authorize-request',
    description: 'Finds the user whose token a request carries',
    settings,
    timeout: timeoutOf(10, parts),
    memoryMb: settings.memoryMb.api,
    environment: {
      DIRECTORY_TABLE: state.directory.tableName,
      ...(signIn && {
        SIGN_IN_ISSUER: signIn.issuer,
        SIGN_IN_CLIENT_ID: signIn.clientId,
        SIGN_IN_JWKS_URI: signIn.jwksUri,
      }),
    },
    permissions: [
      directoryPermission(parts, ['TOKEN', 'IDENTITY', 'USER'], 'GetItem'),
      // Notes when a token was used.
      directoryPermission(parts, ['TOKEN'], 'UpdateItem'),
    ],
  }).lambda;
};

/** The functions of the API's routes: one for each set of permissions. */
export const createApiFunctions = (
  scope: Construct,
  parts: ServiceParts,
): Readonly<Record<ApiFunction, LambdaFunction>> => ({
  'serve-reference': createServeReference(scope, parts),
  'read-api': createReadApi(scope, parts),
  'change-api': createChangeApi(scope, parts),
  'send-api': createSendApi(scope, parts),
});

/** With slow calls of AWS, almost as long as the gateway waits. */
const timeoutOf = (seconds: number, { settings }: ServiceParts) =>
  Duration.seconds(settings.awsCallTimeoutMs ? 28 : seconds);

const apiProps = ({ settings, corsOrigin }: ServiceParts) => ({
  settings,
  memoryMb: settings.memoryMb.api,
  ...(corsOrigin !== undefined && { corsOrigin }),
});

const createServeReference = (scope: Construct, parts: ServiceParts) =>
  new ServiceFunction<typeof ServeReference>(scope, 'ServeReference', {
    ...apiProps(parts),
    name: 'serve-reference',
    description: 'Serves the documents that describe the API',
    timeout: timeoutOf(10, parts),
    environment: {
      SERVICE_VERSION: packageJson.version,
      // The console's pages are those that may call the API from a browser.
      CONSOLE_URL: parts.corsOrigin,
    },
    permissions: [],
    isReleasedAtOnce: true,
  }).lambda;

const createReadApi = (scope: Construct, parts: ServiceParts) => {
  const { changes, deliveryIndex, deliveryLog, directory, integrations } = parts.state;
  const { pendingEvents, statistics } = parts.state;
  const readActions = ['GetItem', 'Query'];
  return new ServiceFunction<typeof ReadApi>(scope, 'ReadApi', {
    ...apiProps(parts),
    name: 'read-api',
    description: 'Answers the requests that read',
    // Counting pending events and searching are bounded, but can take longer than most requests.
    timeout: timeoutOf(25, parts),
    environment: {
      ...showAccounts(parts).environment,
      CHANGES_TABLE: changes.tableName,
      DELIVERY_INDEX_TABLE: deliveryIndex.tableName,
      DELIVERY_LOG_TABLE: deliveryLog.tableName,
      DIRECTORY_TABLE: directory.tableName,
      INTEGRATIONS_TABLE: integrations.tableName,
      PENDING_EVENTS_TABLE: pendingEvents.tableName,
      STATISTICS_TABLE: statistics.tableName,
    },
    permissions: [
      onTable(integrations, ...readActions),
      onTable(deliveryLog, ...readActions),
      onTable(pendingEvents, ...readActions),
      onTable(deliveryIndex, 'Query'),
      onTable(statistics, 'Query'),
      onTable(changes, 'Query'),
      directoryPermission(parts, ['ACCOUNT', 'USER'], ...readActions),
      directoryPermission(parts, ['TOKEN'], 'BatchGetItem', 'GetItem'),
    ],
  }).lambda;
};

const createChangeApi = (scope: Construct, parts: ServiceParts) => {
  const { directory, integrations } = parts.state;
  const { consoleLinkRoles } = parts.settings;
  const [sealing, trouble] = [sealSecrets(parts), changeTrouble(parts)];
  const itemActions = ['GetItem', 'PutItem', 'UpdateItem'];
  return new ServiceFunction<typeof ChangeApi>(scope, 'ChangeApi', {
    ...apiProps(parts),
    name: 'change-api',
    description:
      'Answers the requests that change integrations, secrets, tokens, accounts and signatures',
    timeout: timeoutOf(10, parts),
    environment: {
      ...guardAddresses(parts).environment,
      ...showAccounts(parts).environment,
      OWN_ORIGINS: parts.ownOrigins,
      ...sealing.environment,
      ...trouble.environment,
      DIRECTORY_TABLE: directory.tableName,
      CONSOLE_URL: parts.corsOrigin,
      CONSOLE_LINK_ROLES: consoleLinkRoles,
    },
    permissions: [
      onTable(integrations, ...itemActions, 'DeleteItem', 'Query'),
      // Items of an account: itself, its list of tokens, and the idempotency records.
      directoryPermission(parts, ['ACCOUNT'], 'GetItem', 'Query'),
      directoryPermission(parts, ['USER'], 'GetItem'),
      // In one statement, because a transaction writes a token and its place in the list, and checks
      // that the account is not being removed. UpdateItem revokes a token, DeleteItem removes that of
      // a user who is removed meanwhile.
      directoryPermission(
        parts,
        ['ACCOUNT', 'TOKEN'],
        'ConditionCheckItem',
        'PutItem',
        'UpdateItem',
        'DeleteItem',
      ),
      ...(consoleLinkRoles === undefined
        ? []
        : [
            directoryPermission(parts, ['LINK'], 'PutItem', 'DeleteItem'),
            // Signatures, which are items of their users.
            directoryPermission(parts, ['USER'], 'ConditionCheckItem', 'PutItem', 'DeleteItem'),
          ]),
      // A repeated creation is answered with the secret that the service made, for 24 hours.
      keyPermission(parts, 'idempotency', ['kms:Encrypt', 'kms:Decrypt']),
      ...sealing.permissions,
      ...trouble.permissions,
    ],
  }).lambda;
};

const createSendApi = (scope: Construct, parts: ServiceParts) => {
  const { queue } = parts.deliveries;
  const retrying = retryIntegrations(parts);
  return new ServiceFunction<typeof SendApi>(scope, 'SendApi', {
    ...apiProps(parts),
    name: 'send-api',
    description: 'Answers the requests that test, retry, resend and recover',
    // A test takes up to 17 s, and a retry 25 s; the gateway waits 29 s for a function.
    timeout: timeoutOf(28, parts),
    environment: {
      ...retrying.environment,
      DELIVERIES_QUEUE_URL: queue.queueUrl,
      DIRECTORY_TABLE: parts.state.directory.tableName,
      CALLS_PER_MINUTE: `${parts.settings.throttling.costlyPerMinuteAndAccount}`,
    },
    permissions: [
      ...retrying.permissions,
      toQueue(queue),
      directoryPermission(parts, ['CALLS'], 'UpdateItem'),
    ],
  }).lambda;
};
