import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { environmentSchema as authorizeRequest } from '../../lambdas/authorize-request/env.ts';
import { environmentSchema as createIntegration } from '../../lambdas/create-integration/env.ts';
import { environmentSchema as deleteIntegration } from '../../lambdas/delete-integration/env.ts';
import { environmentSchema as deliverWebhook } from '../../lambdas/deliver-webhook/env.ts';
import { environmentSchema as getIntegration } from '../../lambdas/get-integration/env.ts';
import { environmentSchema as getSignature } from '../../lambdas/get-signature/env.ts';
import { environmentSchema as patchIntegration } from '../../lambdas/patch-integration/env.ts';
import { environmentSchema as replaceIntegration } from '../../lambdas/replace-integration/env.ts';
import { environmentSchema as replayPending } from '../../lambdas/replay-pending/env.ts';
import { environmentSchema as retryIntegration } from '../../lambdas/retry-integration/env.ts';
import { environmentSchema as routeEvent } from '../../lambdas/route-event/env.ts';
import { contract, stageNames } from '../../lib/config.ts';
import { roleGrants } from './role-grants.ts';
import { type Json, type Properties, synthesise } from './template.ts';

const readsQueue = ['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'];
const writesLog = ['logs:CreateLogStream', 'logs:PutLogEvents'];

const sends = ['sqs:SendMessage'];

const ARN_OF = (service: string) =>
  `arn:<AWS::Partition>:${service}:<AWS::Region>:<AWS::AccountId>`;

/** Schedules of the stage's own group, and the role that Scheduler invokes one function with. */
const keepsSchedules = (stage: string) => ({
  [`${ARN_OF('scheduler')}:schedule/integrations-${stage}/*`]: [
    'scheduler:CreateSchedule',
    'scheduler:DeleteSchedule',
  ],
  'RetrySchedules/Role': [
    'iam:PassRole if {"StringEquals":{"iam:PassedToService":"scheduler.amazonaws.com"}}',
  ],
});

const grantsOf = (stage: string) => ({
  'AuthorizeRequest/Role': {
    'AuthorizeRequest/Log': writesLog,
    Directory: ['dynamodb:GetItem'],
  },
  'CreateIntegration/Role': {
    'CreateIntegration/Log': writesLog,
    Directory: ['dynamodb:GetItem', 'dynamodb:PutItem'],
    Integrations: ['dynamodb:GetItem', 'dynamodb:PutItem'],
  },
  'DeleteIntegration/Role': {
    ...keepsSchedules(stage),
    'DeleteIntegration/Log': writesLog,
    Integrations: ['dynamodb:DeleteItem', 'dynamodb:GetItem'],
    'Replays/Queue': sends,
  },
  'DeliverWebhook/Role': {
    ...keepsSchedules(stage),
    'DeliverWebhook/Log': writesLog,
    Attempts: ['dynamodb:PutItem'],
    'Deliveries/DeadLetterQueue': sends,
    'Deliveries/Queue': ['sqs:ChangeMessageVisibility', ...readsQueue],
    Integrations: ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
    PendingEvents: ['dynamodb:DeleteItem', 'dynamodb:PutItem'],
    'Replays/Queue': sends,
  },
  'GetIntegration/Role': {
    'GetIntegration/Log': writesLog,
    Integrations: ['dynamodb:GetItem'],
  },
  'GetSignature/Role': {
    'GetSignature/Log': writesLog,
    Directory: ['dynamodb:Query'],
  },
  'PatchIntegration/Role': {
    ...keepsSchedules(stage),
    'PatchIntegration/Log': writesLog,
    Integrations: ['dynamodb:GetItem', 'dynamodb:PutItem'],
    'Replays/Queue': sends,
  },
  'ReplaceIntegration/Role': {
    ...keepsSchedules(stage),
    'ReplaceIntegration/Log': writesLog,
    Integrations: ['dynamodb:GetItem', 'dynamodb:PutItem'],
    'Replays/Queue': sends,
  },
  'ReplayPending/Role': {
    'ReplayPending/Log': writesLog,
    Attempts: ['dynamodb:DeleteItem', 'dynamodb:Query'],
    'Deliveries/Queue': sends,
    Integrations: ['dynamodb:GetItem'],
    PendingEvents: ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:Query'],
    'Replays/Queue': [...readsQueue, ...sends],
  },
  'RetryIntegration/Role': {
    ...keepsSchedules(stage),
    'RetryIntegration/Log': writesLog,
    Attempts: ['dynamodb:PutItem'],
    'FailedRetries/Queue': sends,
    Integrations: ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
    PendingEvents: [
      'dynamodb:DeleteItem',
      'dynamodb:GetItem',
      'dynamodb:Query',
      'dynamodb:UpdateItem',
    ],
    'Replays/Queue': sends,
  },
  'RetrySchedules/Role': {
    [`${ARN_OF('lambda')}:function:integrations-${stage}-service-retry-integration`]: [
      'lambda:InvokeFunction',
    ],
  },
  'RouteEvent/Role': {
    'RouteEvent/Log': writesLog,
    'Deliveries/Queue': sends,
    'Events/DeadLetterQueue': sends,
    'Events/Queue': readsQueue,
    Integrations: ['dynamodb:Query'],
  },
  'ServiceApi/Api/CloudWatchRole': {
    'managed:service-role/AmazonAPIGatewayPushToCloudWatchLogs': ['everything in it'],
  },
});

const schemas: Record<string, z.ZodObject> = {
  'AuthorizeRequest/Function': authorizeRequest,
  'CreateIntegration/Function': createIntegration,
  'DeleteIntegration/Function': deleteIntegration,
  'DeliverWebhook/Function': deliverWebhook,
  'GetIntegration/Function': getIntegration,
  'GetSignature/Function': getSignature,
  'PatchIntegration/Function': patchIntegration,
  'ReplaceIntegration/Function': replaceIntegration,
  'ReplayPending/Function': replayPending,
  'RetryIntegration/Function': retryIntegration,
  'RouteEvent/Function': routeEvent,
};

describe.each(stageNames)('the functions of %s', (stageName) => {
  const stage = synthesise(stageName);
  const functions = stage.all('AWS::Lambda::Function');
  const functionAt = (path: string) => functions.find((found) => found.path === path)?.properties;
  const environmentOf = (path: string) =>
    (functionAt(path)?.Environment as { Variables: Properties } | undefined)?.Variables ?? {};

  it('are those that have a folder in lambdas/', () => {
    expect(functions.map(({ path }) => path).sort()).toEqual(Object.keys(schemas));
  });

  it('may do exactly what they need, each with a role of its own', () => {
    expect(roleGrants(stage)).toEqual(grantsOf(stageName));
  });

  it('run with the role and the log group named for them', () => {
    const own = functions.map(({ properties }) => [
      stage.pathOf(properties.Role),
      stage.pathOf((properties.LoggingConfig as Properties).LogGroup),
    ]);

    expect(own).toEqual(
      functions.map(({ path }) => [
        path.replace('/Function', '/Role'),
        path.replace('/Function', '/Log'),
      ]),
    );
  });

  it('run on Node 24 and arm64', () => {
    const runtimes = functions.map(({ properties }) => [
      properties.Runtime,
      properties.Architectures,
    ]);

    expect(runtimes).toEqual(functions.map(() => ['nodejs24.x', ['arm64']]));
  });

  it.each(Object.entries(schemas))(
    'give %s the variables it declares and no others',
    (path, schema) => {
      const ofTheRuntime = ['POWERTOOLS_SERVICE_NAME', 'UV_THREADPOOL_SIZE'];
      const given = Object.keys(environmentOf(path)).filter((name) => !ofTheRuntime.includes(name));

      expect(given.sort()).toEqual(Object.keys(schema.shape).sort());
    },
  );

  it.each(Object.entries(schemas))('give %s values it accepts', (path, schema) => {
    const asDeployed = Object.entries(environmentOf(path)).map(([name, value]: [string, Json]) => [
      name,
      stage.pathOrText(value),
    ]);

    expect(schema.safeParse(Object.fromEntries(asDeployed)).error).toBeUndefined();
  });

  it.each(['DeliverWebhook', 'RetryIntegration'])(
    'of which %s has time for the slowest attempt and as long twice for the calls around it',
    (name) => {
      expect(functionAt(`${name}/Function`)?.Timeout).toBe(
        (3 * contract.responseTimeoutMs) / 1_000,
      );
    },
  );

  it('look up the names of a whole batch side by side', () => {
    const { UV_THREADPOOL_SIZE } = environmentOf('DeliverWebhook/Function');
    const [source] = stage
      .all('AWS::Lambda::EventSourceMapping')
      .filter(({ path }) => path === 'Deliveries/Source');

    expect(Number(UV_THREADPOOL_SIZE)).toBeGreaterThan(Number(source?.properties.BatchSize));
  });

  it('answer before the gateway gives up after 29 seconds', () => {
    const behindTheApi = stage
      .all('AWS::Lambda::Permission')
      .map(({ properties }) => functionAt(stage.pathOf(properties.FunctionName))?.Timeout);

    expect(Math.max(...behindTheApi.map(Number))).toBeLessThan(29);
  });

  it('write logs that are not kept for ever', () => {
    const endless = stage
      .all('AWS::Logs::LogGroup')
      .filter(({ properties }) => properties.RetentionInDays === undefined);

    expect(endless).toEqual([]);
  });
});
