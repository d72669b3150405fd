import type { SqsQueue } from './fauxqs-internals.ts';

/** The input and output of ReceiveMessage, as far as a poll needs them. */
export interface ReceiveInput {
  QueueUrl: string;
  WaitTimeSeconds?: unknown;
}

interface ReceiveOutput {
  Messages?: readonly unknown[] | undefined;
}

export interface LongPollOptions {
  /** Receives messages without waiting. */
  receive: (input: ReceiveInput) => Promise<ReceiveOutput>;
  queue: SqsQueue;
  /** Aborts when the client goes away. */
  clientGone: AbortSignal;
}

/**
 * Receives messages, and waits for messages in place of fauxqs. fauxqs would give the next message
 * to a poll whose client has gone, and nobody would get the message until its visibility timeout.
 * Here, a poll ends when its client goes.
 */
export const longPoll = async (
  input: ReceiveInput,
  { receive, queue, clientGone }: LongPollOptions,
): Promise<ReceiveOutput> => {
  const wait = Number(input.WaitTimeSeconds ?? queue.attributes.ReceiveMessageWaitTimeSeconds);
  if (!(wait > 0 && wait <= 20)) return receive(input);
  const deadlineMs = performance.now() + wait * 1_000;
  for (;;) {
    const output = await receive({ ...input, WaitTimeSeconds: 0 });
    const waitMs = deadlineMs - performance.now();
    if (output.Messages || waitMs <= 0) return output;
    await messagesOrAbort(queue, { waitMs, signal: clientGone });
    if (clientGone.aborted) return output;
  }
};

/** Resolves when there may be a message, the time is up or the signal aborts. */
export const messagesOrAbort = async (
  queue: SqsQueue,
  { waitMs, signal }: { waitMs: number; signal: AbortSignal },
): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const wake = () => resolve();
  signal.addEventListener('abort', wake);
  queue.waitForMessages(waitMs / 1_000).then(resolve);
  await promise;
  signal.removeEventListener('abort', wake);
};
