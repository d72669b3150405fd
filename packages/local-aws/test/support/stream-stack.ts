import type { DynamoDBStreamEvent } from 'aws-lambda';
import { lambda, tableOf } from './assembly.ts';

/** Says what it was called with, and then does what a record of the batch tells. */
export const reader = `
const say = (saying) => fetch(process.env.AWS_ENDPOINT_URL, {
  method: 'POST',
  headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.SendMessage' },
  body: JSON.stringify({ QueueUrl: process.env.SAYINGS_URL, MessageBody: JSON.stringify(saying) }),
});
const failed = new Set();
const once = (name, deed) => { if (!failed.has(name)) { failed.add(name); return deed(); } };
export const handler = async (event) => {
  await say(event);
  const state = {};
  for (const { dynamodb: { Keys, SequenceNumber } } of event.Records) {
    const name = Keys.name.S;
    if (name.startsWith('poison')) throw new Error('poisoned');
    const report = () => ({ state, batchItemFailures: [{ itemIdentifier: SequenceNumber }] });
    const result =
      name.startsWith('throws once') ? once(name, () => { throw new Error('once'); }) :
      name.startsWith('reported once') ? once(name, report) :
      name.startsWith('stateless once') ? once(name, () => ({})) : undefined;
    if (result) return result;
  }
  return { state, batchItemFailures: [] };
};`;

const mapping = (table: string, functionName: string, properties: object = {}) => ({
  Type: 'AWS::Lambda::EventSourceMapping',
  Properties: {
    EventSourceArn: { 'Fn::GetAtt': [table, 'StreamArn'] },
    FunctionName: { Ref: functionName },
    StartingPosition: 'TRIM_HORIZON',
    BatchSize: 4,
    MaximumBatchingWindowInSeconds: 600,
    TumblingWindowInSeconds: 900,
    ParallelizationFactor: 1,
    FilterCriteria: { Filters: [{ Pattern: '{"eventName":["INSERT","MODIFY"]}' }] },
    FunctionResponseTypes: ['ReportBatchItemFailures'],
    BisectBatchOnFunctionError: true,
    MaximumRetryAttempts: 2,
    MaximumRecordAgeInSeconds: 3_600,
    DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': ['Discarded', 'Arn'] } } },
    ...properties,
  },
});

export interface WindowEvent extends DynamoDBStreamEvent {
  readonly window: { readonly start: string; readonly end: string };
  readonly state: object;
  readonly shardId: string;
  readonly isFinalInvokeForWindow: boolean;
}

export const namesIn = ({ Records }: WindowEvent): (string | undefined)[] =>
  Records.map(({ dynamodb }) => dynamodb?.Keys?.name?.S);

const said = (queue: string) => ({ Environment: { Variables: { SAYINGS_URL: { Ref: queue } } } });

/** A table, its reader, and the queue of what the reader says. */
export const readTable = (name: string, properties: object) => ({
  [`${name}Table`]: tableOf(['thing', 'name'], {
    StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
  }),
  [`${name}Sayings`]: { Type: 'AWS::SQS::Queue' },
  [`${name}Reader`]: { ...lambda('reader', { FunctionName: name, ...said(`${name}Sayings`) }) },
  [`${name}Mapping`]: mapping(`${name}Table`, `${name}Reader`, properties),
});
