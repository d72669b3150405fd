import { z } from 'zod';
import type { HttpAnswer } from '../http-server.ts';
import { AwsError, jsonAnswer, type ParsedAwsRequest } from './aws-request.ts';
import type { Queues } from './queues.ts';

/** CloudWatch's own name before the operation, in the header that names both. */
export const CLOUDWATCH_TARGET = 'GraniteServiceVersion20100801.';

const GetMetricData = z.object({
  MetricDataQueries: z.array(
    z.object({
      Id: z.string(),
      MetricStat: z.object({
        Metric: z.object({
          Namespace: z.literal('AWS/SQS'),
          MetricName: z.literal('ApproximateAgeOfOldestMessage'),
          Dimensions: z.tuple([z.object({ Name: z.literal('QueueName'), Value: z.string() })]),
        }),
      }),
    }),
  ),
});

/** CloudWatch's GetMetricData for one metric: the age of a queue's oldest message, now. */
export const answerMetricsRequest = (
  { headers, input }: ParsedAwsRequest,
  queues: Queues,
): HttpAnswer => {
  const operation = String(headers['x-amz-target']).replace(CLOUDWATCH_TARGET, '');
  const { data } = operation === 'GetMetricData' ? GetMetricData.safeParse(input) : {};
  if (data === undefined) {
    throw new AwsError(
      'UnknownOperationException',
      `The embedded run has no alarms, and no metrics but the age of a queue's oldest message.`,
    );
  }
  return jsonAnswer({
    MetricDataResults: data.MetricDataQueries.map(({ Id, MetricStat: { Metric } }) => {
      const ageMs = queues.oldestAgeMs(Metric.Dimensions[0].Value);
      return { Id, Values: ageMs === undefined ? [] : [ageMs / 1_000], StatusCode: 'Complete' };
    }),
  });
};
