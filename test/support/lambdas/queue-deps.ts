import { anObservation } from './recording-logger.ts';

const NOON = new Date('2026-11-20T12:00:00.000Z');

/** The delays by receipt handle. A change of a receipt handle in `refused` fails. */
export class InMemoryMessageVisibility {
  readonly delaysMs: Record<string, number> = {};
  readonly #refused: readonly string[];

  constructor({ refused = [] as string[] } = {}) {
    this.#refused = refused;
  }

  async change(changes: readonly { receiptHandle: string; delayMs: number }[]) {
    const isRefused = ({ receiptHandle }: { receiptHandle: string }) =>
      this.#refused.includes(receiptHandle);
    for (const change of changes) {
      if (!isRefused(change)) this.delaysMs[change.receiptHandle] = change.delayMs;
    }
    return changes.filter(isRefused).map((change) => ({
      ...change,
      code: 'ReceiptHandleIsInvalid',
    }));
  }
}

/** The dependencies of every function of a queue, over memory, without jitter. */
export const queueDeps = ({
  visibility = new InMemoryMessageVisibility(),
  now = () => NOON,
} = {}) => ({ ...anObservation(), visibility, now, random: () => 0.5 });

/** The response to a batch of which these messages stay in the queue. */
export const kept = (...ids: string[]) => ({
  batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })),
});

export const ALL_DONE = kept();
