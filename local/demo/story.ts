import {
  type ObservedIntegration,
  readUntil,
  type ShownIntegration,
} from './observed-integration.ts';
import type { Arrival } from './receiver.ts';
import type { Tally } from './tally.ts';
import type { Terminal } from './terminal.ts';

export interface Stage {
  readonly terminal: Terminal;
  readonly tally: Tally;
  readonly integration: ObservedIntegration;
  /** How long an hour lasts. */
  readonly hourSeconds: number;
  /** Sends so many events. */
  readonly send: (count: number) => Promise<void>;
  /** What the endpoint answers from now on, a POST each; the last holds. */
  readonly answerWith: (...statusCodes: readonly number[]) => void;
  /** Whether each POST is shown as it arrives. */
  readonly showArrivals: (isShown: boolean) => void;
}

/** Something that the story needs did not happen; the message says what. */
export class StoryStopped extends Error {}

const PATIENCE_MS = 30_000;
const HEALTHY_EVENTS = 8;
const EVENTS_WHILE_FAILED = 24;

/** Throws StoryStopped. */
export const tellStory = async (stage: Stage): Promise<void> => {
  await allIsWell(stage);
  await theGatewayTimesOut(stage);
  await theEndpointBreaks(stage);
  await anHourPasses(stage);
  await theEndpointIsMended(stage);
};

const allIsWell = async (stage: Stage): Promise<void> => {
  stage.terminal.print(stage.terminal.bold('\n1  All is well.'));
  await stage.send(HEALTHY_EVENTS);
  await waitFor(stage, 'the first events are delivered', ({ missing }) => missing.length === 0);
  stage.terminal.print(`   ${HEALTHY_EVENTS} events sent, ${HEALTHY_EVENTS} delivered.`);
};

const theGatewayTimesOut = async (stage: Stage): Promise<void> => {
  stage.terminal.print(stage.terminal.bold('\n2  The gateway before the endpoint times out: 504.'));
  stage.showArrivals(true);
  stage.answerWith(504, 504, 504, 204);
  await stage.send(1);
  await waitFor(stage, 'the event is delivered', ({ missing }) => missing.length === 0);
  stage.terminal.print(
    '   Each delay is about twice the last; the delivery is the same each time.',
  );
};

const theEndpointBreaks = async (stage: Stage): Promise<void> => {
  const { integration, send, terminal } = stage;
  terminal.print(terminal.bold('\n3  The endpoint breaks: 500.'));
  stage.answerWith(500);
  await send(1);
  await waitFor(stage, 'the event is attempted', hasArrivals(1, 500));
  showIntegration(stage, await readUntilStatus(stage, 'failed'));
  await send(EVENTS_WHILE_FAILED);
  const pending = await readUntil(integration.countPending, (n) => n > EVENTS_WHILE_FAILED, {
    patienceMs: PATIENCE_MS,
  });
  terminal.print(
    `   ${EVENTS_WHILE_FAILED} more events sent: ${pending} are pending, unattempted.`,
  );
  if (pending <= EVENTS_WHILE_FAILED) {
    throw new StoryStopped(`Only ${pending} events are pending.`);
  }
};

const anHourPasses = async (stage: Stage): Promise<void> => {
  const { hourSeconds, terminal } = stage;
  terminal.print(terminal.bold(`\n4  An hour later (${hourSeconds} s here) it still is broken.`));
  await waitFor(stage, 'the hourly retry comes', hasArrivals(2, 500));
  terminal.print('   One attempt, with the oldest event; the others go on waiting.');
};

const theEndpointIsMended = async (stage: Stage): Promise<void> => {
  const { integration, tally, terminal } = stage;
  terminal.print(
    terminal.bold('\n5  The endpoint is mended, and the next hourly retry finds out.'),
  );
  stage.answerWith(204);
  const before = tally.arrivals.length;
  await waitFor(stage, 'the hourly retry is confirmed', ({ arrivals }) => arrivals.length > before);
  stage.showArrivals(false);
  const startedAt = performance.now();
  await waitFor(stage, 'all events are replayed', ({ missing }) => missing.length === 0);
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  terminal.print(`   The pending events are replayed: all delivered ${seconds} s later.`);
  showIntegration(stage, await readUntilStatus(stage, 'active'));
  const isNone = (count: number): boolean => count === 0;
  const left = await readUntil(integration.countPending, isNone, { patienceMs: PATIENCE_MS });
  if (left > 0) throw new StoryStopped(`${left} events are pending still.`);
};

const hasArrivals =
  (count: number, status: number) =>
  ({ arrivals }: Tally): boolean =>
    arrivals.filter(({ statusCode }) => statusCode === status).length >= count;

const waitFor = async (
  { tally }: Stage,
  what: string,
  isMet: (tally: Tally) => boolean,
): Promise<void> => {
  if (await tally.when(() => isMet(tally), PATIENCE_MS)) return;
  throw new StoryStopped(`Waited ${PATIENCE_MS / 1_000} s in vain until ${what}.`);
};

const readUntilStatus = async (
  { integration }: Stage,
  status: string,
): Promise<ShownIntegration> => {
  const patience = { patienceMs: PATIENCE_MS };
  const shown = await readUntil(integration.read, (read) => read.status === status, patience);
  if (shown.status === status) return shown;
  throw new StoryStopped(`The integration's status is ${shown.status}, not ${status}.`);
};

const showIntegration = (
  { terminal }: Stage,
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

/** One line for each POST, with the time since the one before. */
export const createArrivalLines = (terminal: Terminal): ((arrival: Arrival) => void) => {
  let last: Arrival | undefined;
  return (arrival) => {
    const { arrivedAt, delivery, statusCode } = arrival;
    const styled = statusCode < 300 ? terminal.good : terminal.bad;
    const isSame = last !== undefined && last.delivery?.id === delivery?.id;
    const since = isSame && last ? arrivedAt.getTime() - last.arrivedAt.getTime() : undefined;
    last = arrival;
    const delay = since === undefined ? '' : `after ${(since / 1_000).toFixed(1)} s`;
    terminal.print(
      `   ${clock(arrivedAt.toISOString())}  POST ${styled(`→ ${statusCode}`)}  ${terminal.dim(delay)}`,
    );
  };
};
