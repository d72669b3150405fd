import { Aws, CfnOutput, CfnRule, Fn, Lazy, Stack, type StackProps } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { CANARY_ACCOUNT } from '../core/delivery/canary.ts';
import { ROUTES } from '../lambdas/api/openapi/routes.ts';
import { functionOf, type Route } from '../lambdas/api/runtime/route.ts';
import packageJson from '../package.json' with { type: 'json' };
import { CANARY_ROUTE, Canary } from './constructs/canary.ts';
import { GradualRelease, targetOf } from './constructs/gradual-release.ts';
import { admitProducers } from './constructs/producers.ts';
import { RetryScheduleGroup } from './constructs/retry-schedule-group.ts';
import { ServiceApi } from './constructs/service-api.ts';
import { WebConsole } from './constructs/web-console.ts';
import { WorkQueue } from './constructs/work-queue.ts';
import type { OwnDomain } from './deployment-options.ts';
import { createApiFunctions, createAuthorizeRequest } from './functions/api-functions.ts';
import { createReceiveCanary, createSendCanary } from './functions/canary-functions.ts';
import {
  createDeliverSlowly,
  createDeliverWebhook,
  createRetryHourly,
  createRouteEvent,
  createRunReplay,
} from './functions/consumers.ts';
import { createSendNotices } from './functions/send-notices.ts';
import type { ServiceParts } from './functions/service-parts.ts';
import {
  createAnnounceChanges,
  createCountAttempts,
  createIntegrationStream,
  createLogStream,
} from './functions/streams.ts';
import { limits } from './limits.ts';
import { Monitoring } from './monitoring/monitoring.ts';
import { WEBHOOKS_FAILING } from './monitoring/outcomes.ts';
import { saveQueries } from './monitoring/saved-queries.ts';
import { eventSourcesOf, type StageSettings } from './stage-settings.ts';
import type { StateStack } from './state-stack.ts';

interface ServiceStackProps extends StackProps {
  readonly settings: StageSettings;
  readonly state: StateStack;
  /** The built web console. Without its files the stage has none. */
  readonly consoleFiles?: string;
  readonly consoleDomain?: OwnDomain;
  readonly embedIn?: readonly string[];
  readonly apiDomain?: OwnDomain;
}

/** The queues, the functions, the schedule group, the API and the web console. */
export class ServiceStack extends Stack {
  constructor(scope: Construct, id: string, props: ServiceStackProps) {
    const { settings, state } = props;
    super(scope, id, { ...props, terminationProtection: settings.deletionProtection });
    if (settings.allowLoopback) this.#refuseDeployment();
    const queues = this.#createQueues(settings);
    admitProducers(queues.events.queue, settings.producers);
    const webConsole =
      props.consoleFiles === undefined
        ? undefined
        : new WebConsole(this, 'WebConsole', {
            settings,
            users: state.consoleUsers,
            // The API allows the console's origin, and the console's headers name the API's.
            apiOrigin: Lazy.string({ produce: () => api.origin }),
            domain: props.consoleDomain,
            embedIn: props.embedIn ?? [],
          });
    const parts: ServiceParts = {
      settings,
      state,
      ...queues,
      schedules: new RetryScheduleGroup(this, 'RetrySchedules', {
        settings,
        retries: queues.retries.queue,
      }),
      apiUrl: Lazy.string({ produce: () => api.url }),
      ownOrigins: Lazy.string({
        produce: () => [...api.origins, ...(webConsole ? [webConsole.origin] : [])].join(' '),
      }),
      corsOrigin: webConsole?.origin ?? settings.corsOrigin,
      signIn: webConsole?.signIn ?? settings.signIn,
      logStream: createLogStream(this, { settings, state }),
      integrationStream: createIntegrationStream(this, { settings, state }),
      eventBus: new EventBus(this, 'EventBus', {
        eventBusName: `integrations-${settings.stage}`,
        description: 'Changes of integrations',
      }),
    };
    const consumers = this.#createEventFunctions(parts);
    const authorizer = createAuthorizeRequest(this, parts);
    const api = this.#createApi(parts, authorizer, props.apiDomain);
    if (settings.canary) this.#addCanary(parts, api);
    const release =
      settings.release === 'gradual' &&
      new GradualRelease(this, 'Release', { settings, consumers, authorizer });
    if (props.consoleFiles !== undefined) webConsole?.publish(props.consoleFiles, api.url);
    this.#addOutputs(parts, api);
    saveQueries(this, { folder: `integrations-${settings.stage}`, accessLog: api.accessLog });
    const { alarms, url } = new Monitoring(this, 'Monitoring', {
      parts,
      behindApi: api.functions,
      accessLog: api.accessLog,
      blocked: api.blocked,
      releases: release ? release.lines : [],
    });
    const failing = alarms.find(({ node }) => node.id === WEBHOOKS_FAILING);
    if (release && failing) release.stopOn(failing);
    if (url !== undefined) new CfnOutput(this, 'DashboardUrl', { value: url });
  }

  /**
   * CloudFormation checks rules before it creates anything. Emulators use the account 000000000000;
   * AWS has no such account.
   */
  #refuseDeployment(): void {
    new CfnRule(this, 'LocalOnly', {
      assertions: [
        {
          assert: Fn.conditionEquals(Aws.ACCOUNT_ID, '000000000000'),
          assertDescription: 'The local stage allows loopback endpoints and is not for AWS.',
        },
      ],
    });
  }

  #createQueues(settings: StageSettings) {
    return {
      events: new WorkQueue(this, 'Events', {
        settings,
        consumerTimeoutMs: limits.routeTimeoutMs,
      }),
      deliveries: new WorkQueue(this, 'Deliveries', {
        settings,
        consumerTimeoutMs: limits.deliverTimeoutMs,
      }),
      slowLane: new WorkQueue(this, 'SlowLane', {
        settings,
        consumerTimeoutMs: limits.deliverTimeoutMs,
      }),
      replays: new WorkQueue(this, 'Replays', {
        settings,
        isFifo: true,
        consumerTimeoutMs: limits.replayTimeoutMs,
      }),
      retries: new WorkQueue(this, 'Retries', {
        settings,
        consumerTimeoutMs: limits.retryTimeoutMs,
        maxReceiveCount: limits.retryReceives,
      }),
      ...(settings.mailFrom !== undefined && {
        notices: new WorkQueue(this, 'Notices', {
          settings,
          isFifo: true,
          consumerTimeoutMs: limits.noticeTimeoutMs,
          // Until an hour after the mail before.
          longestWaitMs: settings.retryIntervalMs,
        }),
      }),
    };
  }

  /** Returns the functions that consume the queues and the streams. */
  #createEventFunctions(parts: ServiceParts): LambdaFunction[] {
    const sources = eventSourcesOf(parts.settings);
    const routeEvent = createRouteEvent(this, parts);
    const deliverWebhook = createDeliverWebhook(this, parts);
    const deliverSlowly = createDeliverSlowly(this, parts);
    const runReplay = createRunReplay(this, parts);
    const retryHourly = createRetryHourly(this, parts);
    const countAttempts = createCountAttempts(this, parts);
    const announceChanges = createAnnounceChanges(this, parts);
    parts.events.consumedBy(routeEvent, sources.events);
    parts.deliveries.consumedBy(deliverWebhook, sources.deliveries);
    parts.slowLane.consumedBy(deliverSlowly, sources.slowLane);
    parts.replays.consumedBy(runReplay, sources.replays);
    parts.retries.consumedBy(retryHourly, sources.retries);
    parts.logStream.readBy(countAttempts);
    parts.integrationStream.readBy(announceChanges);
    // Released at once, in every stage: it delays e-mails alone.
    parts.notices?.consumedBy(createSendNotices(this, parts, parts.notices), sources.notices);
    const readers = [countAttempts, announceChanges];
    return [routeEvent, deliverWebhook, deliverSlowly, runReplay, retryHourly, ...readers];
  }

  #addCanary(parts: ServiceParts, { url }: ServiceApi): void {
    const sender = createSendCanary(this, parts, url + CANARY_ROUTE.path);
    new Canary(this, 'Canary', { sender });
    new CfnOutput(this, 'CanaryAccount', { value: CANARY_ACCOUNT });
  }

  #createApi(
    parts: ServiceParts,
    authorizer: LambdaFunction,
    domain: OwnDomain | undefined,
  ): ServiceApi {
    const functions = createApiFunctions(this, parts);
    return new ServiceApi(this, 'ServiceApi', {
      settings: parts.settings,
      ...(parts.corsOrigin !== undefined && { corsOrigin: parts.corsOrigin }),
      authorizer: targetOf(authorizer),
      domain,
      routes: [
        ...routesOf(parts.settings).map((route) => ({
          ...route,
          handler: targetOf(functions[functionOf(route)]),
        })),
        ...(parts.settings.canary
          ? [{ ...CANARY_ROUTE, handler: createReceiveCanary(this, parts) }]
          : []),
      ],
    });
  }

  #addOutputs(parts: ServiceParts, api: ServiceApi): void {
    const { settings, events, deliveries, slowLane, replays, retries, notices, schedules } = parts;
    const { variables } = schedules;
    const outputs = {
      Version: packageJson.version,
      ApiUrl: api.url,
      EventsQueueUrl: events.queue.queueUrl,
      EventsDeadLetterQueueUrl: events.deadLetterQueue.queueUrl,
      DeliveriesQueueUrl: deliveries.queue.queueUrl,
      DeliveriesDeadLetterQueueUrl: deliveries.deadLetterQueue.queueUrl,
      SlowLaneQueueUrl: slowLane.queue.queueUrl,
      SlowLaneDeadLetterQueueUrl: slowLane.deadLetterQueue.queueUrl,
      ReplayQueueUrl: replays.queue.queueUrl,
      ReplayDeadLetterQueueUrl: replays.deadLetterQueue.queueUrl,
      RetryQueueUrl: retries.queue.queueUrl,
      RetryDeadLetterQueueUrl: retries.deadLetterQueue.queueUrl,
      RetryQueueArn: variables.RETRY_QUEUE_ARN,
      RetryIntervalMs: variables.RETRY_INTERVAL_MS,
      KeyPairDays: `${limits.keyPairDays}`,
      OwnOrigins: parts.ownOrigins,
      RetryScheduleGroup: schedules.groupName,
      RetryScheduleRoleArn: variables.SCHEDULE_ROLE_ARN,
      ScheduleDeadLetterQueueArn: variables.SCHEDULE_DEAD_LETTER_QUEUE_ARN,
      ScheduleDeadLetterQueueUrl: schedules.deadLetterQueue.queueUrl,
      LogStreamDeadLetterQueueUrl: parts.logStream.deadLetterQueue.queueUrl,
      LogRetentionDays: `${settings.logRetentionDays}`,
      IntegrationStreamDeadLetterQueueUrl: parts.integrationStream.deadLetterQueue.queueUrl,
      EventBusName: parts.eventBus.eventBusName,
      ...(notices && {
        NoticeQueueUrl: notices.queue.queueUrl,
        NoticeDeadLetterQueueUrl: notices.deadLetterQueue.queueUrl,
      }),
    };
    for (const [key, value] of Object.entries(outputs)) new CfnOutput(this, key, { value });
  }
}

/** Without those of console links if no role may create any. */
const routesOf = ({ consoleLinkRoles }: StageSettings): readonly Route[] =>
  ROUTES.filter(
    ({ access }) => (access !== 'platform' && access !== 'code') || consoleLinkRoles !== undefined,
  );
