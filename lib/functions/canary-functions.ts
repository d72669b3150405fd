import { Duration } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type * as ReceiveCanary from '../../lambdas/canary/receive-canary/compose.ts';
import type * as SendCanary from '../../lambdas/canary/send-canary/compose.ts';
import { ServiceFunction } from '../constructs/service-function.ts';
import { changeTrouble, openSecrets, sealSecrets } from './capabilities.ts';
import { canaryPermission, toQueue } from './permissions.ts';
import type { ServiceParts } from './service-parts.ts';

const canaryProps = ({ settings }: ServiceParts) => ({
  settings,
  timeout: Duration.seconds(10),
  memoryMb: settings.memoryMb.queue,
  // No customer uses it, and CodeDeploy starts at most eight deployments.
  isReleasedAtOnce: true,
});

export const createReceiveCanary = (scope: Construct, parts: ServiceParts): LambdaFunction => {
  const opening = openSecrets(parts);
  return new ServiceFunction<typeof ReceiveCanary>(scope, 'ReceiveCanary', {
    ...canaryProps(parts),
    name: 'receive-canary',
    description: 'Receives the webhook of the canary, and measures how long its event took',
    environment: {
      ...opening.environment,
      INTEGRATIONS_TABLE: parts.state.integrations.tableName,
    },
    permissions: [...opening.permissions, canaryPermission(parts, 'GetItem')],
  }).lambda;
};

/** @param url of the route of `receive-canary` */
export const createSendCanary = (
  scope: Construct,
  parts: ServiceParts,
  url: string,
): LambdaFunction => {
  const [sealing, trouble] = [sealSecrets(parts), changeTrouble(parts)];
  return new ServiceFunction<typeof SendCanary>(scope, 'SendCanary', {
    ...canaryProps(parts),
    name: 'send-canary',
    description: 'Sends an event of the canary, whose integration it creates and keeps right',
    environment: {
      ...sealing.environment,
      ...trouble.environment,
      EVENTS_QUEUE_URL: parts.events.queue.queueUrl,
      CANARY_URL: url,
    },
    permissions: [
      canaryPermission(parts, 'GetItem', 'PutItem', 'UpdateItem'),
      toQueue(parts.events.queue),
      ...sealing.permissions,
      ...trouble.permissions,
    ],
  }).lambda;
};
