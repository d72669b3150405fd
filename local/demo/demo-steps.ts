import type { ReceivedPost } from '../receiver/received-post.ts';
import { type ObservedIntegration, readUntil, type ShownIntegration } from './integration.ts';
import type { Tally } from './tally.ts';
import type { Terminal } from './terminal.ts';

export interface DemoContext {
  readonly terminal: Terminal;
  readonly tally: Tally;
  readonly integration: ObservedIntegration;
  /** How many seconds an hour of the Scheduler lasts. */
  readonly hourSeconds: number;
  /** Sends `count` events. */
  readonly send: (count: number) => Promise<void>;
  /** The endpoint's answers to the next POSTs, in order; the last answer is for all later POSTs. */
  readonly answerWith: (...statusCodes: readonly number[]) => void;
  /** Sets whether a line is printed for each POST. */
  readonly showPosts: (isShown: boolean) => void;
}

/** Something that a step waits for did not happen; the message names it. */
export class StepFailed extends Error {}

const PATIENCE_MS = 30_000;
const FIRST_EVENTS = 8;
const EVENTS_WHILE_FAILED = 24;

/** Runs the demonstration, one step after another, and prints each step. Throws StepFailed. */
export const runSteps = async (context: DemoContext): Promise<void> => {
  await deliverEvents(context);
  await backOff(context);
  await failIntegration(context);
  await retryInVain(context);
  await retryAndReplay(context);
};

const deliverEvents = async (context: DemoContext): Promise<void> => {
  context.terminal.print(context.terminal.bold('\n1  The endpoint confirms every delivery: 204.'));
  await context.send(FIRST_EVENTS);
  await waitFor(context, 'the first events are delivered', ({ missing }) => missing.length === 0);
  context.terminal.print(`   ${FIRST_EVENTS} events sent, ${FIRST_EVENTS} delivered.`);
};

const backOff = async (context: DemoContext): Promise<void> => {
  const { bold } = context.terminal;
  context.terminal.print(bold('\n2  The gateway in front of the endpoint times out: 504.'));
  context.showPosts(true);
  context.answerWith(504, 504, 504, 204);
  await context.send(1);
  await waitFor(context, 'the event is delivered', ({ missing }) => missing.length === 0);
  context.terminal.print(
    '   Each delay is about twice the delay before; every attempt sends the same delivery.',
  );
};

const failIntegration = async (context: DemoContext): Promise<void> => {
  const { integration, send, terminal } = context;
  terminal.print(terminal.bold('\n3  The endpoint fails: 500.'));
  context.answerWith(500);
  await send(1);
  await waitFor(context, 'the event is attempted', hasPosts(1, 500));
  showIntegration(context, await readUntilStatus(context, 'failed'));
  await send(EVENTS_WHILE_FAILED);
  const pending = await readUntil(integration.countPending, (n) => n > EVENTS_WHILE_FAILED, {
    patienceMs: PATIENCE_MS,
  });
  terminal.print(
    `   ${EVENTS_WHILE_FAILED} more events sent, without an attempt: ${pending} events are pending.`,
  );
  if (pending <= EVENTS_WHILE_FAILED) {
    throw new StepFailed(`Only ${pending} events are pending.`);
  }
};

const retryInVain = async (context: DemoContext): Promise<void> => {
  const { hourSeconds, terminal } = context;
  terminal.print(
    terminal.bold(`\n4  An hour later (${hourSeconds} s here) the endpoint still fails.`),
  );
  await waitFor(context, 'the hourly retry comes', hasPosts(4, 500));
  terminal.print(
    '   Three attempts: an old event, and then the newest two. All events stay pending.',
  );
};

const retryAndReplay = async (context: DemoContext): Promise<void> => {
  const { integration, tally, terminal } = context;
  terminal.print(
    terminal.bold('\n5  The endpoint works again: the next hourly retry is confirmed.'),
  );
  context.answerWith(204);
  const before = tally.posts.length;
  await waitFor(context, 'the hourly retry is confirmed', ({ posts }) => posts.length > before);
  context.showPosts(false);
  const startedAt = performance.now();
  await waitFor(context, 'all events are replayed', ({ missing }) => missing.length === 0);
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  terminal.print(`   The pending events are replayed: all delivered ${seconds} s later.`);
  showIntegration(context, await readUntilStatus(context, 'active'));
  const isNone = (count: number): boolean => count === 0;
  const left = await readUntil(integration.countPending, isNone, { patienceMs: PATIENCE_MS });
  if (left > 0) throw new StepFailed(`${left} events are still pending.`);
};

const hasPosts =
  (count: number, status: number) =>
  ({ posts }: Tally): boolean =>
    posts.filter(({ statusCode }) => statusCode === status).length >= count;

const waitFor = async (
  { tally }: DemoContext,
  what: string,
  isMet: (tally: Tally) => boolean,
): Promise<void> => {
  if (await tally.when(() => isMet(tally), PATIENCE_MS)) return;
  throw new StepFailed(`Waited ${PATIENCE_MS / 1_000} s in vain until ${what}.`);
};

const readUntilStatus = async (
  { integration }: DemoContext,
  status: string,
): Promise<ShownIntegration> => {
  const patience = { patienceMs: PATIENCE_MS };
  const shown = await readUntil(integration.read, (read) => read.status === status, patience);
  if (shown.status === status) return shown;
  throw new StepFailed(`The integration's status is ${shown.status}, not ${status}.`);
};

const showIntegration = (
  { terminal }: DemoContext,
  { failure, isHealthy, status }: ShownIntegration,
): void => {
  const styled = isHealthy ? terminal.good : terminal.bad;
  terminal.print(`   The API shows ${styled(`status ${status}, isHealthy ${isHealthy}`)}.`);
  if (failure === undefined) return;
  const { lastAttemptAt, nextAttemptAt, reason, since, statusCode } = failure;
  terminal.print(
    `   failure: ${statusCode ?? reason} since ${clock(since)}, last attempt ${clock(lastAttemptAt)}, next ${clock(nextAttemptAt)}`,
  );
};

const clock = (instant: string): string => instant.slice(11, 19);

/** Prints a line for each POST, with the time since the last POST of the same delivery. */
export const createPostLines = (terminal: Terminal): ((post: ReceivedPost) => void) => {
  let last: ReceivedPost | undefined;
  return (post) => {
    const { receivedAt, delivery, statusCode } = post;
    const styled = statusCode < 300 ? terminal.good : terminal.bad;
    const isSame = last !== undefined && last.delivery?.id === delivery?.id;
    const since = isSame && last ? receivedAt.getTime() - last.receivedAt.getTime() : undefined;
    last = post;
    const delay = since === undefined ? '' : `after ${(since / 1_000).toFixed(1)} s`;
    terminal.print(
      `   ${clock(receivedAt.toISOString())}  POST ${styled(`→ ${statusCode}`)}  ${terminal.dim(delay)}`,
    );
  };
};
