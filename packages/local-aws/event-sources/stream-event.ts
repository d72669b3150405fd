import { randomUUID } from 'node:crypto';
import type { AttributeValue, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { REGION } from '../arn.ts';
import type { StreamedChange } from '../aws/change-stream.ts';

/** What Lambda adds in a tumbling window. A window has one batch here, and no state before. */
interface StreamWindow {
  window: { start: string; end: string };
  state: Record<string, never>;
  shardId: string;
  eventSourceARN: string;
  isFinalInvokeForWindow: false;
  isWindowTerminatedEarly: false;
}

/** A stream of the embedded run is one shard. */
const SHARD_ID = 'shardId-00000001767225600000-00000001';

interface Given {
  streamArn: string;
  keyNames: readonly string[];
  windowMs?: number;
}

export const streamEvent = (
  changes: readonly StreamedChange[],
  { streamArn, keyNames, windowMs }: Given,
): DynamoDBStreamEvent & Partial<StreamWindow> => ({
  Records: changes.map((change) => recordOf(change, streamArn, keyNames)),
  ...(windowMs !== undefined && windowOf(streamArn, windowMs)),
});

const windowOf = (eventSourceARN: string, windowMs: number): StreamWindow => {
  const now = Date.now();
  const start = now - (now % windowMs);
  return {
    window: {
      start: new Date(start).toISOString(),
      end: new Date(start + windowMs).toISOString(),
    },
    state: {},
    shardId: SHARD_ID,
    eventSourceARN,
    isFinalInvokeForWindow: false,
    isWindowTerminatedEarly: false,
  };
};

export const eventNameOf = ({ before, after }: StreamedChange): DynamoDBRecord['eventName'] => {
  if (before === undefined) return 'INSERT';
  return after === undefined ? 'REMOVE' : 'MODIFY';
};

type Image = Record<string, AttributeValue>;

const imageIn = (item: string | undefined): Image | undefined =>
  item === undefined ? undefined : JSON.parse(item);

const recordOf = (
  change: StreamedChange,
  streamArn: string,
  keyNames: readonly string[],
): DynamoDBRecord => {
  const { before, after, sequenceNumber, at } = change;
  const [OldImage, NewImage] = [imageIn(before), imageIn(after)];
  const image = NewImage ?? OldImage ?? {};
  return {
    eventID: `local-${sequenceNumber}`,
    eventName: eventNameOf(change),
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: REGION,
    dynamodb: {
      ApproximateCreationDateTime: Math.floor(at / 1_000),
      Keys: Object.fromEntries(Object.entries(image).filter(([name]) => keyNames.includes(name))),
      ...(NewImage && { NewImage }),
      ...(OldImage && { OldImage }),
      SequenceNumber: sequenceNumber,
      SizeBytes: (before ?? '').length + (after ?? '').length,
      StreamViewType: 'NEW_AND_OLD_IMAGES',
    },
    eventSourceARN: streamArn,
  };
};

/** The message that Lambda sends to the failure destination for records that it discards. */
export const discardedRecords = (
  changes: readonly StreamedChange[],
  { streamArn, functionArn }: { streamArn: string; functionArn: string },
) => {
  const [first, last] = [changes[0], changes.at(-1)];
  return {
    requestContext: {
      requestId: randomUUID(),
      functionArn,
      condition: 'RetryAttemptsExhausted',
      approximateInvokeCount: 1,
    },
    version: '1.0',
    timestamp: new Date().toISOString(),
    DDBStreamBatchInfo: {
      shardId: SHARD_ID,
      startSequenceNumber: first?.sequenceNumber,
      endSequenceNumber: last?.sequenceNumber,
      approximateArrivalOfFirstRecord: new Date(first?.at ?? 0).toISOString(),
      approximateArrivalOfLastRecord: new Date(last?.at ?? 0).toISOString(),
      batchSize: changes.length,
      streamArn,
    },
  };
};
