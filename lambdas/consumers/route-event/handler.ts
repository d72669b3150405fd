import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { RouteEvents } from '../../../core/delivery/route-event.ts';
import { parseEvent, UnroutableEvent } from '../../../core/event/event.ts';
import { createProcessBatch, type QueueDeps } from '../../runtime/sqs-batch.ts';
import { logRouted, type ReportDeps, reportFiltered, reportUnwanted } from './routing-report.ts';

interface Deps extends QueueDeps, ReportDeps {
  routeEvents: RouteEvents;
}

export const createHandler = (deps: Deps) => {
  const processBatch = createProcessBatch(deps, 'event.unroutable', UnroutableEvent);
  return (batch: SQSEvent): Promise<SQSBatchResponse> => {
    const routing = routeRecords(batch.Records, deps);
    return processBatch(batch, async (record) => {
      const faults = await routing;
      if (faults.has(record)) throw faults.get(record);
      return 'done';
    });
  };
};

/** Routes the events of a batch together. Resolves to the faults of the records not routed. */
const routeRecords = async (
  records: readonly SQSRecord[],
  { routeEvents, ...deps }: Deps,
): Promise<ReadonlyMap<SQSRecord, unknown>> => {
  const faults = new Map<SQSRecord, unknown>();
  const received = records.flatMap((record) => {
    try {
      const wasReceivedBefore = Number(record.attributes.ApproximateReceiveCount) > 1;
      const traceparent = traceparentOf(record);
      return [{ record, event: parseEvent(record.body), wasReceivedBefore, traceparent }];
    } catch (fault) {
      faults.set(record, fault);
      return [];
    }
  });
  const result = await routeEvents(received);
  for (const each of received) {
    if (result.faults.has(each)) faults.set(each.record, result.faults.get(each));
  }
  logRouted(result, deps.logger);
  await Promise.all([reportUnwanted(result, deps), reportFiltered(result, deps)]);
  return faults;
};

/** Of any version, as https://www.w3.org/TR/trace-context/#traceparent-header has it. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

/** Anything else in the attribute says nothing of a trace. */
const traceparentOf = ({ messageAttributes }: SQSRecord): string | undefined => {
  const text = messageAttributes.traceparent?.stringValue;
  return text !== undefined && TRACEPARENT.test(text) ? text : undefined;
};
