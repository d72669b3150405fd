import { IN_WORDS } from '../../core/customer-limits.ts';
import type { PlatformEvent } from '../../core/event/event.ts';
import type { DemoWebhook, ShownIntegration } from './demo-webhook.ts';
import { demoEvents } from './events.ts';
import { printMail } from './print-mail.ts';
import type { ReceivedPost } from './received-post.ts';
import type { Terminal } from './terminal.ts';

export interface DemoContext {
  readonly terminal: Terminal;
  readonly webhook: DemoWebhook;
  readonly account: string;
  readonly hourSeconds: number;
  readonly showPosts: (isShown: boolean) => void;
}

const FIRST_EVENTS = 8;
const EVENTS_WHILE_FAILED = 24;

/** Runs the demonstration, one step after another, and prints each step. Throws DemoFailed. */
export const runSteps = async (context: DemoContext): Promise<void> => {
  await deliverEvents(context);
  await backOff(context);
  await failIntegration(context);
  await retryInVain(context);
  await retryAndReplay(context);
};

const deliverEvents = async ({ account, terminal, webhook }: DemoContext): Promise<void> => {
  terminal.print(terminal.bold('\n1  The endpoint confirms every delivery: 204.'));
  await webhook.send(eventsOf(account, FIRST_EVENTS));
  await webhook.waitForDeliveries();
  terminal.print(`   ${FIRST_EVENTS} events sent, ${FIRST_EVENTS} delivered.`);
};

const backOff = async ({ account, showPosts, terminal, webhook }: DemoContext): Promise<void> => {
  terminal.print(terminal.bold('\n2  The gateway in front of the endpoint times out: 504.'));
  showPosts(true);
  webhook.hook.answerWith(504, 504, 504, 204);
  await webhook.send(eventsOf(account, 1));
  await webhook.waitForDeliveries();
  terminal.print(
    `   Every attempt sends the same delivery. In AWS the first delay is ${IN_WORDS.firstDelay}, and each is twice the last.`,
  );
};

const failIntegration = async ({ account, terminal, webhook }: DemoContext): Promise<void> => {
  terminal.print(terminal.bold('\n3  The endpoint fails: 500.'));
  webhook.hook.answerWith(500);
  await webhook.send(eventsOf(account, 1));
  await webhook.waitFor('the event is attempted', () => answered(webhook, 500) >= 1);
  showIntegration(await webhook.waitForStatus('failed'), terminal);
  await webhook.send(eventsOf(account, EVENTS_WHILE_FAILED));
  const pending = EVENTS_WHILE_FAILED + 1;
  await webhook.waitForPending(pending);
  terminal.print(
    `   ${EVENTS_WHILE_FAILED} more events sent, without an attempt: ${pending} events are pending.`,
  );
  printMail(await webhook.waitForMail('failed'), { indent: '   ', terminal });
};

const retryInVain = async ({ hourSeconds, terminal, webhook }: DemoContext): Promise<void> => {
  terminal.print(
    terminal.bold(`\n4  An hour later (${hourSeconds} s here) the endpoint still fails.`),
  );
  await webhook.waitFor('the hourly retry comes', () => answered(webhook, 500) >= 4);
  terminal.print(
    '   Three attempts: an old event, the newest, and one between. All events stay pending.',
  );
};

const retryAndReplay = async ({ showPosts, terminal, webhook }: DemoContext): Promise<void> => {
  terminal.print(
    terminal.bold('\n5  The endpoint works again: the next hourly retry is confirmed.'),
  );
  webhook.hook.answerWith(204);
  const before = webhook.posts.length;
  await webhook.waitFor('the hourly retry is confirmed', () => webhook.posts.length > before);
  showPosts(false);
  const startedAt = performance.now();
  await webhook.waitForDeliveries();
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  terminal.print(`   The pending events are replayed: all delivered ${seconds} s later.`);
  showIntegration(await webhook.waitForStatus('active'), terminal);
  await webhook.waitForPending(0);
  printMail(await webhook.waitForMail('works again'), { indent: '   ', terminal });
};

const eventsOf = (account: string, count: number): readonly PlatformEvent[] => {
  const events: PlatformEvent[] = [];
  while (events.length < count) events.push(...demoEvents(account, new Date()));
  return events.slice(0, count);
};

const answered = ({ posts }: DemoWebhook, status: number): number =>
  posts.filter(({ statusCode }) => statusCode === status).length;

const showIntegration = (
  { failure, isHealthy, status }: ShownIntegration,
  terminal: Terminal,
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
    const sinceMs = isSame && last ? receivedAt.getTime() - last.receivedAt.getTime() : undefined;
    last = post;
    const delay = sinceMs === undefined ? '' : `after ${(sinceMs / 1_000).toFixed(1)} s`;
    terminal.print(
      `   ${clock(receivedAt.toISOString())}  POST ${styled(`→ ${statusCode}`)}  ${terminal.dim(delay)}`,
    );
  };
};
