import { Duration } from 'aws-cdk-lib';
import { Color, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { MetricName } from '../../lambdas/runtime/reporting.ts';
import type { ServiceParts } from '../functions/service-parts.ts';
import { IN_FLIGHT_LIMIT } from '../limits.ts';
import { type AlarmOn, every, type Line, line, nameOf, words, writtenMetric } from './line.ts';
import { unknownAccounts, webhooksFailing } from './outcomes.ts';

/** The lines of a graph, by its title and unit. */
export type Graphs = Readonly<Record<string, readonly Line[]>>;

export interface Watched {
  readonly parts: ServiceParts;
  /** The functions that the gateway calls. */
  readonly behindApi: readonly IFunction[];
  readonly accessLog: ILogGroup;
  /** Requests over a limit of their caller; none without a web ACL. */
  readonly blocked: readonly Line[];
  /** Faults of new versions; none without gradual releases. */
  readonly releases: readonly Line[];
}

/** Everything that is drawn and watched: graphs by the question that they answer, the most urgent first. */
export const rowsOf = (watched: Watched): Readonly<Record<string, Graphs>> => ({
  'Do events come in and go out?': traffic(watched.parts),
  'Does anything wait?': waiting(watched.parts),
  'Does the service fail?': faults(watched.parts),
  'Does a new version fail?': { 'Faults of a new version, a minute': watched.releases },
  'Is anything throttled?': throttles(watched),
  'Which customers are in trouble?': troubles(watched.parts),
  'Does the API answer?': answers(watched),
});

const STREAMS = ['logStream', 'integrationStream'] as const;
const QUEUES = ['events', 'deliveries', 'slowLane', 'replays', 'retries', 'notices'] as const;

type Source = (typeof STREAMS | typeof QUEUES)[number];

/** What waits here is late for customers who have nothing to repair. */
const DELIVERING: ReadonlySet<Source> = new Set(['events', 'deliveries', 'slowLane']);

const SECTIONS: Readonly<Record<Source, string>> = {
  events: 'events-queue',
  deliveries: 'deliveries-queue',
  slowLane: 'slow-lane',
  replays: 'replay-queue',
  retries: 'retry-queue',
  notices: 'notices-queue',
  logStream: 'statistics',
  integrationStream: 'changes-of-integrations',
};

const WHEN_LATE: Readonly<Record<Source, string>> = {
  events: 'all webhooks are late.',
  deliveries: 'some webhooks are late.',
  slowLane: 'webhooks to slow endpoints are late.',
  replays: 'pending events of recovered integrations are delivered late.',
  retries: 'integrations in trouble are retried late.',
  notices: 'customers learn of failures late.',
  logStream: 'statistics and searches are late.',
  integrationStream: 'changes of integrations are announced late.',
};

const WHEN_DEAD_LETTERED: Readonly<Record<Source, string>> = {
  events: 'these events reach no customer until they are moved back.',
  deliveries: 'these events reach no endpoint until they are moved back.',
  slowLane: 'these events reach no endpoint until they are moved back.',
  replays: 'replays and recoveries of these integrations do not go on.',
  retries: 'hourly retries of these integrations failed because of a fault in the service.',
  notices: 'these e-mails about failures are not sent.',
  logStream: 'statistics lack these attempts, and searches these deliveries.',
  integrationStream: 'these changes of integrations were not announced.',
};

const queuesOf = (parts: ServiceParts) =>
  QUEUES.flatMap((id) => {
    const work = parts[id];
    return work ? [{ id, work }] : [];
  });

const sourcesOf = (parts: ServiceParts) => [
  ...queuesOf(parts).map((queue) => ({ ...queue, retried: 'after the visibility timeout' })),
  ...STREAMS.map((id) => ({ id, work: parts[id], retried: 'in halves' })),
];

type Queue = ReturnType<typeof queuesOf>[number];

const ofQueues = (
  parts: ServiceParts,
  metric: (queue: IQueue) => Metric,
  alarm?: (queue: Queue) => AlarmOn,
): readonly Line[] =>
  queuesOf(parts).map((of) => line(words(of.id, ' '), metric(of.work.queue), alarm?.(of)));

const counts = (
  { settings }: ServiceParts,
  names: Readonly<Record<string, MetricName>>,
): readonly Line[] =>
  Object.entries(names).map(([label, name]) => line(label, writtenMetric(settings, name)));

const traffic = (parts: ServiceParts): Graphs => {
  const { settings } = parts;
  const outcomes = {
    delivered: writtenMetric(settings, 'DeliveriesDelivered', { color: Color.GREEN }),
    transient: writtenMetric(settings, 'DeliveriesTransient', { color: Color.ORANGE }),
    fatal: writtenMetric(settings, 'DeliveriesFatal', { color: Color.RED }),
  };
  const success = new MathExpression({
    // SUM leaves out metrics without a value; `+` would have no value then.
    expression: '100 * FILL(delivered, 0) / SUM([delivered, transient, fatal])',
    usingMetrics: outcomes,
    period: Duration.minutes(5),
  });
  return {
    'Sent to each queue, messages a minute': ofQueues(parts, (queue) =>
      queue.metricNumberOfMessagesSent(every(1)),
    ),
    'Attempts by outcome, in 5 minutes': Object.entries(outcomes).map(([label, metric]) =>
      line(label, metric),
    ),
    'Attempts that delivered, %': [line('delivered, of 100 attempts', success)],
    'Webhooks that fail together, in 15 minutes': [webhooksFailing(settings)],
    'Webhooks with attempts, by batches of at most a minute': counts(parts, {
      'that confirm': 'IntegrationsConfirming',
      'that confirm nothing': 'IntegrationsNotConfirming',
    }),
    'Events that no webhook wants, in 5 minutes': counts(parts, {
      'no webhook subscribed': 'EventsNotSubscribed',
      'no such account': 'EventsOfUnknownAccounts',
    }),
    'Events of unknown accounts, %': [unknownAccounts(parts)],
    "The canary's webhook, milliseconds": settings.canary ? [canary(parts)] : [],
  };
};

const canary = ({ settings }: ServiceParts): Line => {
  // Without FILL an alarm looks back to older samples, and is raised ten minutes later.
  const metric = new MathExpression({
    expression: `FILL(latency, ${Duration.minutes(15).toMilliseconds()})`,
    usingMetrics: { latency: writtenMetric(settings, 'CanaryLatency', every(5, 'Maximum')) },
    period: Duration.minutes(5),
  });
  return line('time to arrive', metric, {
    name: 'canary-late',
    section: 'canary',
    threshold: Duration.minutes(5).toMilliseconds(),
    periods: 3,
    isRaisedWithoutData: true,
    isUrgent: true,
    meaning: "The canary's webhook has not arrived for 15 minutes, or is five minutes late.",
  });
};

const waiting = (parts: ServiceParts): Graphs => ({
  'Age of the oldest message, seconds': ofQueues(
    parts,
    (queue) => queue.metricApproximateAgeOfOldestMessage(every(1, 'Maximum')),
    // The metric leaves out messages that were received more than three times. A record that fails is
    // received so often within a minute, and `failed-records` watches it. This alarm is for messages
    // that wait for a function or crash it: a third receive is within five visibility timeouts.
    ({ id, work }) => ({
      name: `${words(id, '-')}-late`,
      section: SECTIONS[id],
      isUrgent: DELIVERING.has(id),
      threshold: (5 * work.visibilityTimeoutMs + work.longestWaitMs) / 1_000,
      meaning: `The oldest message has waited too long: ${WHEN_LATE[id]}`,
    }),
  ),
  'Messages that wait': ofQueues(parts, (queue) =>
    queue.metricApproximateNumberOfMessagesVisible(every(1, 'Maximum')),
  ),
  'Messages in flight': ofQueues(
    parts,
    (queue) => queue.metricApproximateNumberOfMessagesNotVisible(every(1, 'Maximum')),
    ({ id }) => ({
      name: `${words(id, '-')}-in-flight`,
      section: 'in-flight',
      isUrgent: DELIVERING.has(id),
      threshold: IN_FLIGHT_LIMIT / 2,
      meaning: `Half as many messages are in flight as SQS allows. At the limit the queue stops for all customers: ${WHEN_LATE[id]}`,
    }),
  ),
  'Age of unread changes of tables, milliseconds': STREAMS.map((id) => {
    const { consumer } = parts[id];
    return line(nameOf(consumer), consumer.metric('IteratorAge', every(5, 'Maximum')), {
      name: `${words(id, '-')}-late`,
      section: SECTIONS[id],
      threshold: Duration.minutes(15).toMilliseconds(),
      meaning: `Changes of a table wait for ${nameOf(consumer)}: ${WHEN_LATE[id]}`,
    });
  }),
});

const faults = (parts: ServiceParts): Graphs => ({
  'Records and log writes that failed': failures(parts),
  // Records that fail are not errors of a function that reads a queue or stream.
  'Functions that crashed or timed out, in 5 minutes': sourcesOf(parts).map(
    ({ id, work: { consumer }, retried }) =>
      line(nameOf(consumer), consumer.metricErrors(every(5)), {
        name: `${words(id, '-')}-errors`,
        section: 'function-errors',
        meaning: `${consumer.node.path} crashes or times out. Its batches are retried ${retried}.`,
      }),
  ),
  'Dead letters': [
    ...sourcesOf(parts).map(({ id, work }) =>
      line(words(id, ' '), visibleIn(work.deadLetterQueue), {
        name: `${words(id, '-')}-dead-letter`,
        section: SECTIONS[id],
        meaning: `The dead-letter queue has messages: ${WHEN_DEAD_LETTERED[id]}`,
      }),
    ),
    line('schedules', visibleIn(parts.schedules.deadLetterQueue), {
      name: 'retry-schedules-dead-letter',
      section: 'retry-schedules',
      meaning:
        'EventBridge Scheduler cannot put retries on the retry queue, so integrations stay in trouble.',
    }),
  ],
  'Schedules that could not send, in 5 minutes': [
    line('refused by the retry queue', parts.schedules.group.metricTargetErrors(every(5)), {
      name: 'retry-schedules-target-errors',
      section: 'retry-schedules',
      periods: 3, // Scheduler tries again: a temporary error delays a retry by some minutes
      meaning:
        'The retry queue refuses messages of EventBridge Scheduler, so integrations stay in trouble.',
    }),
    line('given up', parts.schedules.group.metricDropped(every(5)), {
      name: 'retry-schedules-dropped',
      section: 'retry-schedules',
      meaning:
        'EventBridge Scheduler gave up hourly retries. Their integrations wait for the next hour.',
    }),
  ],
});

const visibleIn = (queue: IQueue): Metric =>
  queue.metricApproximateNumberOfMessagesVisible(every(1, 'Maximum'));

const failures = ({ settings }: ServiceParts): readonly Line[] => [
  line('records', writtenMetric(settings, 'RecordsFailed'), {
    name: 'failed-records',
    isUrgent: true,
    periods: 3, // a throttled write delays a record for some seconds, and needs no action
    meaning:
      'Messages or changes of tables have failed for 15 minutes because of a fault in the service. Webhooks, statistics or announcements are late.',
  }),
  // Such a record is retried every half hour.
  line('records for more than an hour', writtenMetric(settings, 'RecordsStuck', every(60)), {
    name: 'stuck-records',
    section: 'failed-records',
    meaning:
      'Messages have failed for more than an hour because of a fault in the service, and are lost after 14 days; or pending events cannot be read.',
  }),
  line('requests that could not be made', writtenMetric(settings, 'DeliveriesNotSent', every(60)), {
    name: 'deliveries-not-sent',
    meaning:
      'The service cannot sign or build the requests of an integration, so its customer gets no webhooks.',
  }),
  line('log writes', writtenMetric(settings, 'LogWritesFailed'), {
    name: 'failed-log-writes',
    section: 'delivery-log',
    periods: 3,
    meaning:
      'The delivery log cannot be written, so customers do not see what happened to deliveries.',
  }),
  ...(settings.mailFrom === undefined
    ? []
    : [
        line('e-mails that were refused', writtenMetric(settings, 'NoticesNotSent', every(60)), {
          name: 'notices-not-sent',
          section: 'e-mails-not-sent',
          meaning: 'SES refused e-mails about failures, so some admins do not learn of them.',
        }),
      ]),
];

const throttles = ({ parts, blocked }: Watched): Graphs => ({
  'Throttled functions, in 5 minutes': sourcesOf(parts).map(({ id, work: { consumer } }) =>
    line(nameOf(consumer), consumer.metricThrottles(every(5)), {
      name: `${words(id, '-')}-throttles`,
      section: 'function-throttles',
      periods: 3,
      meaning: `${consumer.node.path} is throttled, because no concurrency is left. Its batches wait.`,
    }),
  ),
  'Concurrent executions': queuesOf(parts).map(({ work: { consumer } }) =>
    line(nameOf(consumer), consumer.metric('ConcurrentExecutions', every(5, 'Maximum'))),
  ),
  // Calls that a table refuses because a partition or the account has too much to do.
  'Throttled by tables, a minute': parts.state.tables.flatMap((table) =>
    ['Read', 'Write'].map((call) =>
      line(
        `${words(table.node.id, ' ')}, ${call.toLowerCase()}s`,
        table.metric(`${call}ThrottleEvents`, every(1)),
      ),
    ),
  ),
  'Requests over a limit of their caller, in 5 minutes': blocked,
});

const troubles = (parts: ServiceParts): Graphs => ({
  'Troubles, integrations in 5 minutes': counts(parts, {
    'busy or failed': 'IntegrationsStopped',
    ended: 'TroublesEnded',
  }),
  'Pending events, in 5 minutes': counts(parts, {
    stored: 'EventsPending',
    replayed: 'EventsReplayed',
  }),
  'Events set aside, in 5 minutes': counts(parts, { events: 'EventsSetAside' }),
});

/** In five minutes, and of the calls that are not refused: one client that meets a bug is no page. */
const FAULTS = 5;
const FAULTS_PERCENT = 1;
const FAILED_WRITES_PERCENT = 10;

/** The sum of metrics, as a part of an expression: one that is not written is 0. */
const sumOf = (ids: readonly string[]): string => ids.map((id) => `FILL(${id}, 0)`).join(' + ');

const byId = (id: string, metrics: readonly Metric[]): Readonly<Record<string, Metric>> =>
  Object.fromEntries(metrics.map((metric, index) => [`${id}${index}`, metric]));

/** Open consoles read so often that their reads would hide writes that fail. */
const failingWrites = ({ parts, behindApi, accessLog }: Watched): Line => {
  const { metricNamespace, metricName } = {
    metricNamespace: `Integrations/${parts.settings.stage}`,
    metricName: 'FailedWrites',
  };
  accessLog.addMetricFilter(metricName, {
    metricNamespace,
    metricName,
    filterPattern: FilterPattern.literal('{ ($.method != "GET") && ($.status = "5*") }'),
  });
  // In a stage with releases each is an alias below its function.
  const within = (names: RegExp) => behindApi.filter(({ node }) => names.test(node.path));
  const writing = within(/\/(?:ChangeApi|SendApi)\//);
  const authorizer = within(/\/AuthorizeRequest\//);
  const calls = byId(
    'calls',
    writing.map((lambda) => lambda.metricInvocations(every(5))),
  );
  const throttled = byId(
    'throttled_write',
    [...writing, ...authorizer].map((lambda) => lambda.metricThrottles(every(5))),
  );
  const failed = `(FILL(unwritten, 0) - (${sumOf(Object.keys(throttled))}))`;
  const metric = new MathExpression({
    expression: `IF(${failed} >= ${FAULTS}, 100 * ${failed} / (${failed} + ${sumOf(Object.keys(calls))}), 0)`,
    usingMetrics: {
      unwritten: new Metric({ namespace: metricNamespace, metricName, ...every(5) }),
      ...calls,
      ...throttled,
    },
    period: Duration.minutes(5),
  });
  return line('of the writes', metric, {
    name: 'api-write-faults',
    section: 'api-faults',
    isUrgent: true,
    threshold: FAILED_WRITES_PERCENT,
    meaning: 'The API answers writes with 5xx because of a fault in the service.',
  });
};

const answers = (watched: Watched): Graphs => {
  const { parts, behindApi } = watched;
  const { stage } = parts.settings;
  const ofApi = (metricName: string, statistic?: string) =>
    new Metric({
      namespace: 'AWS/ApiGateway',
      metricName,
      dimensionsMap: { ApiName: `integrations-${stage}`, Stage: stage },
      ...every(5, statistic),
    });
  const throttled = byId(
    'throttled',
    behindApi.map((lambda) => lambda.metricThrottles(every(5))),
  );
  const thrown = sumOf(Object.keys(throttled));
  // The gateway answers 500 when Lambda throttles a function: a lack of concurrency, or a flood, and no
  // fault. Requests that are refused do not count, so that a flood of them hides no fault.
  const ourFaults = new MathExpression({
    expression: `IF(failed - (${thrown}) >= ${FAULTS}, 100 * (failed - (${thrown})) / (calls - FILL(refused, 0)), 0)`,
    usingMetrics: {
      failed: ofApi('5XXError'),
      calls: ofApi('Count'),
      refused: ofApi('4XXError'),
      ...throttled,
    },
    period: Duration.minutes(5),
  });
  return {
    'Requests, in 5 minutes': [
      line('all', ofApi('Count')),
      line('answered with 4xx', ofApi('4XXError')),
    ],
    // This watches the functions of the API too: the gateway answers 5xx when they crash.
    'Answers with 5xx that are our fault, %': [
      line('of the requests', ourFaults, {
        name: 'api-faults',
        isUrgent: true,
        threshold: FAULTS_PERCENT,
        meaning: 'The API answers requests with 5xx because of a fault in the service.',
      }),
      failingWrites(watched),
    ],
    'Time to answer, milliseconds': [
      // Tests and retries wait for an endpoint, but they are few among a hundred requests.
      line('nine requests of ten', ofApi('Latency', 'p90'), {
        name: 'api-latency',
        threshold: Duration.seconds(3).toMilliseconds(),
        periods: 3,
        needsManySamples: true,
        meaning: 'One in ten requests to the API takes more than three seconds.',
      }),
      line('half of the requests', ofApi('Latency', 'p50')),
    ],
  };
};
