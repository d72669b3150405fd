import DataLoader from 'dataloader';
import type { Delivery } from '../core/delivery/delivery.ts';
import { type DeliveryQueue, NotEnqueued } from '../core/delivery/delivery-queue.ts';
import type {
  Integration,
  IntegrationKey,
  IntegrationReader,
} from '../core/integration/integration.ts';

/** At least one. */
export type Calls<Call> = readonly [Call, ...Call[]];

/**
 * Returns a function whose simultaneous calls, as by the records of a batch, are answered together,
 * in one group for each key. Nothing is cached. A fault of a group fails no other group.
 * @param answer answers a group in its order; an `Error` fails one call of the group
 * @param schedule sends what is gathered until then; without it, the calls of an instant
 */
export const gatheredCalls = <Call, Result>(
  answer: (calls: Calls<Call>) => Promise<readonly (Result | Error)[]>,
  keyOf: (call: Call) => string,
  schedule?: (send: () => void) => void,
): ((call: Call) => Promise<Result>) => {
  const loader = new DataLoader<Call, Result>(
    async (calls) => {
      const groups = Map.groupBy(calls.entries(), ([, call]) => keyOf(call));
      const answers = await Promise.all(
        [...groups.values()].map(async (group) => {
          const answered = await answer(group.map(([, call]) => call) as [Call, ...Call[]]).catch(
            (fault) => group.map(() => asError(fault)),
          );
          return group.map(([index], place) => [index, answered[place]] as const);
        }),
      );
      const byIndex = new Map(answers.flat());
      return calls.map((_, index) => byIndex.get(index) as Result | Error);
    },
    { cache: false, ...(schedule && { batchScheduleFn: schedule }) },
  );
  return (call) => loader.load(call);
};

/** As `gatheredCalls`: the result of the first call of a key is the result of all. */
export const sharedCalls = <Call, Result>(
  answer: (call: Call) => Promise<Result>,
  keyOf: (call: Call) => string,
): ((call: Call) => Promise<Result>) =>
  gatheredCalls(async (calls) => {
    const result = await answer(calls[0]);
    return calls.map(() => result);
  }, keyOf);

export const asError = (fault: unknown): Error =>
  fault instanceof Error ? fault : new Error(String(fault));

/** Long enough for the calls of a batch, whose earlier writes end at about the same time. */
const GATHERED_MS = 5;

/** One call for the reads of some milliseconds: each sees the writes before its request. */
export const gatheredReads = (
  integrations: Pick<IntegrationReader, 'findAll'>,
): Pick<IntegrationReader, 'find'> => {
  const find = gatheredCalls<IntegrationKey, Integration | undefined>(
    (keys) => integrations.findAll(keys),
    () => 'all',
    (send) => setTimeout(send, GATHERED_MS),
  );
  return { find: (account, id) => find({ account, id }) };
};

/** A queue whose simultaneous calls, as by the records of a batch, are one. */
export const gatheredQueue = (queue: DeliveryQueue): DeliveryQueue => {
  const enqueue = gatheredCalls<Delivery, undefined>(
    async (deliveries) => {
      try {
        await queue.enqueue(deliveries);
        return deliveries.map(() => undefined);
      } catch (fault) {
        if (!(fault instanceof NotEnqueued)) throw fault;
        const { faults } = fault;
        return deliveries.map((each) => (faults.has(each) ? asError(faults.get(each)) : undefined));
      }
    },
    () => 'all',
  );
  return {
    enqueue: async (deliveries) => {
      await Promise.all(deliveries.map(enqueue));
    },
  };
};
