import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { HttpAnswer } from '../http-server.ts';
import { AwsError, jsonAnswer, type ParsedAwsRequest } from './aws-request.ts';

/** EventBridge's own name before the operation, in the header that names both. */
export const EVENTBRIDGE_TARGET = 'AWSEvents.';

export interface PublishedEvent {
  readonly bus: string;
  readonly source: string;
  readonly detailType: string;
  readonly detail: unknown;
  readonly time: Date;
}

export interface EventBuses {
  create(name: string): void;
  handle(request: Pick<ParsedAwsRequest, 'headers' | 'input'>): HttpAnswer;
  /** The latest, oldest first. */
  readonly published: readonly PublishedEvent[];
}

const KEPT = 1_000;

const Entry = z.object({
  EventBusName: z.string(),
  Source: z.string().min(1),
  DetailType: z.string().min(1).max(128),
  Detail: z.string(),
  /** Seconds since 1970. */
  Time: z.number(),
});

const PutEvents = z.object({ Entries: z.array(Entry).min(1).max(10) });

/** EventBridge's buses, of which no rule is emulated: what is published is kept for readers here. */
export const createEventBuses = (): EventBuses => {
  const buses = new Set<string>();
  const published: PublishedEvent[] = [];
  const put = ({ EventBusName, Source, DetailType, Detail, Time }: z.infer<typeof Entry>) => {
    if (!buses.has(EventBusName)) {
      return refused('ResourceNotFoundException', `Event bus ${EventBusName} does not exist.`);
    }
    const detail = objectIn(Detail);
    if (detail === undefined) return refused('MalformedDetail', 'Detail is malformed.');
    const time = new Date(Time * 1_000);
    published.push({ bus: EventBusName, source: Source, detailType: DetailType, detail, time });
    published.splice(0, published.length - KEPT);
    return { EventId: randomUUID() };
  };
  return {
    create: (name) => {
      buses.add(name);
    },
    handle: ({ headers, input }) => {
      const { data } = PutEvents.safeParse(input);
      if (headers['x-amz-target'] !== `${EVENTBRIDGE_TARGET}PutEvents` || data === undefined) {
        throw new AwsError(
          'ValidationException',
          'Only PutEvents of 1 to 10 whole entries is emulated.',
        );
      }
      const Entries = data.Entries.map(put);
      const FailedEntryCount = Entries.filter((entry) => 'ErrorCode' in entry).length;
      return jsonAnswer({ FailedEntryCount, Entries });
    },
    published,
  };
};

const refused = (ErrorCode: string, ErrorMessage: string) => ({ ErrorCode, ErrorMessage });

const objectIn = (text: string): object | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
};
