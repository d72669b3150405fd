import { z } from 'zod';

const BatchResponse = z
  .object({
    batchItemFailures: z.array(z.object({ itemIdentifier: z.string().min(1) })).nullish(),
  })
  .nullish();

/**
 * The ids of the messages that a function reports as failed; `batch` has the ids of all messages.
 * As in Lambda, a response without a report means that none failed, and a response that is
 * malformed or names an unknown message means that all failed.
 */
export const failedMessageIds = (
  response: unknown,
  batch: readonly string[],
): { failed: ReadonlySet<string>; malformed: boolean } => {
  const parsed = BatchResponse.safeParse(response);
  const reported = parsed.data?.batchItemFailures?.map(({ itemIdentifier }) => itemIdentifier);
  const malformed = !parsed.success || (reported ?? []).some((id) => !batch.includes(id));
  return { failed: new Set(malformed ? batch : reported), malformed };
};

const WindowResponse = z.object({
  state: z.record(z.string(), z.unknown()),
  batchItemFailures: z.array(z.object({ itemIdentifier: z.string().min(1) })).nullish(),
});

export interface StreamVerdict {
  state: object;
  /** How many records of the batch, from its beginning, are done. */
  done: number;
}

/**
 * The result of a batch, by the function's response. `batch` has the sequence numbers: the records before
 * the first that is reported are done. Undefined for a response without a state, which Lambda takes
 * for a failed invocation. A report of an unknown record means that none is done.
 */
export const verdictOf = (
  response: unknown,
  batch: readonly string[],
): StreamVerdict | undefined => {
  const parsed = WindowResponse.safeParse(response);
  if (!parsed.success) return undefined;
  const { state, batchItemFailures } = parsed.data;
  const positions = (batchItemFailures ?? []).map(({ itemIdentifier }) =>
    batch.indexOf(itemIdentifier),
  );
  return { state, done: Math.max(0, Math.min(batch.length, ...positions)) };
};
