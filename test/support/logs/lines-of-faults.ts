import { vi } from 'vitest';
import { refuse } from '../../../lambdas/api/runtime/problem-json.ts';
import { createLogger } from '../../../lambdas/runtime/reporting.ts';
import { createProcessBatch } from '../../../lambdas/runtime/sqs-batch.ts';
import { anApiEvent } from '../lambdas/api-gateway-events.ts';
import { aBatch, aRecord, queueDeps } from '../lambdas/queue-functions.ts';

/** The lines that the functions write when a record fails by our fault, and when a request does. */
export const linesOfFaults = async (): Promise<readonly Readonly<Record<string, unknown>>[]> => {
  const texts: string[] = [];
  const take = (text: unknown) => texts.push(String(text)) > 0;
  const outputs = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation(take),
  );
  try {
    const logger = createLogger();
    const processBatch = createProcessBatch({ ...queueDeps(), logger }, 'message.unreadable');
    await processBatch(aBatch(aRecord('m1', 'fails')), async () => {
      throw new TypeError('throttled');
    });
    refuse(new TypeError('throttled'), anApiEvent({}), logger);
  } finally {
    for (const output of outputs) output.mockRestore();
  }
  return texts.map((text) => JSON.parse(text));
};
