import type { HttpAnswer, HttpRequest } from '../http-server.ts';
import type { SqsQueue } from './fauxqs-internals.ts';

export interface LongPollOptions {
  inject: (request: Pick<HttpRequest, 'headers' | 'body'>) => Promise<HttpAnswer>;
  queueOf: (url: string) => SqsQueue | undefined;
}

/**
 * Answers a request, and waits for messages in place of fauxqs. fauxqs would give the next message
 * to a poll whose client has gone, and nobody would get the message until its visibility timeout.
 * Here, a poll ends when its client goes.
 */
export const longPoll = async (
  request: HttpRequest,
  { inject, queueOf }: LongPollOptions,
): Promise<HttpAnswer> => {
  const input = receiveInput(request);
  const queue = input && queueOf(input.QueueUrl);
  if (!input || !queue) return inject(request);
  const wait = input.WaitTimeSeconds ?? Number(queue.attributes.ReceiveMessageWaitTimeSeconds);
  if (!(wait > 0 && wait <= 20)) return inject(request);
  const deadlineMs = performance.now() + wait * 1_000;
  const body = Buffer.from(JSON.stringify({ ...input, WaitTimeSeconds: 0 }));
  for (;;) {
    const answer = await inject({ headers: request.headers, body });
    const waitMs = deadlineMs - performance.now();
    if (answer.body.includes('"Messages"') || answer.status !== 200 || waitMs <= 0) return answer;
    await messagesOrAbort(queue, { waitMs, signal: request.clientGone });
    if (request.clientGone.aborted) return answer;
  }
};

/** Resolves when there may be a message, the time is up or the signal aborts. */
export const messagesOrAbort = async (
  queue: SqsQueue,
  { waitMs, signal }: { waitMs: number; signal: AbortSignal },
): Promise<void> => {
  const settled = new AbortController();
  const aborted = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { signal: settled.signal });
  });
  await Promise.race([queue.waitForMessages(waitMs / 1_000), aborted]);
  settled.abort();
};

const receiveInput = ({ headers, body }: HttpRequest) => {
  if (headers['x-amz-target'] !== 'AmazonSQS.ReceiveMessage') return undefined;
  try {
    const input = JSON.parse(body.toString());
    return typeof input?.QueueUrl === 'string' ? input : undefined;
  } catch {
    return undefined;
  }
};
