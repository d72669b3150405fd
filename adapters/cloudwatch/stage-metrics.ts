import {
  type CloudWatchClient,
  GetMetricDataCommand,
  type MetricDataQuery,
  paginateDescribeAlarms,
} from '@aws-sdk/client-cloudwatch';

/** The metric of a queue is written once a minute, and up to some minutes late. */
const LOOK_BACK_MS = 15 * 60_000;

/** In seconds, by queue name. A queue without traffic for six hours is missing. */
export const readOldestAges = async (
  client: CloudWatchClient,
  queueNames: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, number>> => {
  const { MetricDataResults = [] } = await client.send(
    new GetMetricDataCommand({
      StartTime: new Date(now.getTime() - LOOK_BACK_MS),
      EndTime: now,
      ScanBy: 'TimestampDescending',
      MetricDataQueries: queueNames.map(ageQuery),
    }),
  );
  return new Map(
    MetricDataResults.flatMap(({ Id, Values: [latest] = [] }) => {
      const name = queueNames[Number(Id?.slice(1))];
      return name === undefined || latest === undefined ? [] : [[name, latest] as const];
    }),
  );
};

const ageQuery = (queueName: string, index: number): MetricDataQuery => ({
  Id: `q${index}`,
  MetricStat: {
    Metric: {
      Namespace: 'AWS/SQS',
      MetricName: 'ApproximateAgeOfOldestMessage',
      Dimensions: [{ Name: 'QueueName', Value: queueName }],
    },
    Period: 60,
    Stat: 'Maximum',
  },
});

export interface StageAlarm {
  readonly name: string;
  /** OK, ALARM or INSUFFICIENT_DATA. */
  readonly state: string;
  readonly since: Date | undefined;
  /** The effect on customers, and the section of docs/operators/on-call.md. */
  readonly meaning: string;
  /** ARNs of what it notifies when it is raised; empty if its actions are disabled. */
  readonly actions: readonly string[];
}

export const readAlarms = async (
  client: CloudWatchClient,
  prefix: string,
): Promise<readonly StageAlarm[]> => {
  const alarms: StageAlarm[] = [];
  const pages = paginateDescribeAlarms({ client }, { AlarmNamePrefix: prefix });
  for await (const { MetricAlarms = [] } of pages) {
    alarms.push(
      ...MetricAlarms.map((alarm) => ({
        name: alarm.AlarmName ?? '',
        state: alarm.StateValue ?? 'unknown',
        since: alarm.StateTransitionedTimestamp ?? alarm.StateUpdatedTimestamp,
        meaning: alarm.AlarmDescription ?? '',
        actions: alarm.ActionsEnabled === false ? [] : (alarm.AlarmActions ?? []),
      })),
    );
  }
  return alarms;
};
