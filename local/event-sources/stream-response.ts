import { z } from 'zod';

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
 * What a function's response says of a batch, whose sequence numbers are `batch`: the records before
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
