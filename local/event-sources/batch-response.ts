import { z } from 'zod';

const BatchResponse = z
  .object({
    batchItemFailures: z.array(z.object({ itemIdentifier: z.string().min(1) })).nullish(),
  })
  .nullish();

/**
 * Which messages of a batch a function reports as failed. Nothing reported means all is done; what
 * cannot be understood, an unknown message included, means all of them, as in Lambda.
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
