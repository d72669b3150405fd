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
