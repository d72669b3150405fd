import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import {
  type CrashingRun,
  type CrashPoint,
  startCrashingRun,
} from '../support/journey/crashing-run.ts';
import { eventually } from '../support/journey/platform.ts';
import type { ApiReply } from '../support/journey/platform-of.ts';
import { eventOf } from '../support/receiver/received-deliveries.ts';
import { answer, type Behaviour } from '../support/receiver/receiver-behaviours.ts';

const stateDirectory = inject('stateDirectory');

let crashing: CrashingRun;
beforeAll(async () => {
  if (stateDirectory !== undefined) crashing = await startCrashingRun(stateDirectory);
});
afterAll(() => crashing?.stop());
beforeEach(({ task }) => {
  task.meta.figures = { 'functions that die in the middle': 1 };
});

/** More than a batch. */
const EVENTS = 12;

const webhookAt = async (path: string) => {
  const customer = await crashing.newCustomer();
  const webhook = await customer.register(crashing.receiver.url(path));
  const events = customer.sampleEvents(EVENTS);
  return { ...webhook, ...confirmationOf(events), customer, events, path };
};

/** An endpoint that confirms, and whether it has confirmed all of the events. */
const confirmationOf = (events: readonly { id: string }[]) => {
  const missing = new Set(events.map(({ id }) => id));
  const confirm: Behaviour = (connection, request) => {
    missing.delete(eventOf(request));
    return answer(200)(connection, request);
  };
  return { confirm, isConfirmed: () => missing.size === 0 };
};

type Webhook = Awaited<ReturnType<typeof webhookAt>>;

const isPending = async ({ bareId, events }: Webhook): Promise<void> => {
  await eventually(
    () => crashing.state.pendingOf(bareId),
    (pending) => pending.length === events.length,
  );
};

/**
 * Lets hours pass until every event is confirmed and nothing is left to do. Each delivery had the same
 * body each time it was sent.
 */
const isSettled = async (webhook: Webhook): Promise<void> => {
  const { bareId, customer, id, isConfirmed, path } = webhook;
  await crashing.hours.passHoursUntil(webhook, async () => {
    if (!isConfirmed()) return false;
    const { document } = await customer.call('GET', id);
    const pending = await crashing.state.pendingOf(bareId);
    const schedules = await crashing.state.schedulesOf(bareId);
    return document.status === 'active' && pending.length + schedules.length === 0;
  });
  const sent = crashing.receiver.requests.all.filter((request) => request.path === path);
  expect(new Set(sent.map(({ body }) => body.toString())).size).toBe(EVENTS);
};

/** The function dies while its request that contains these parts takes effect. */
const at =
  (functionName: string, ...request: string[]) =>
  (bareId: string): CrashPoint => ({ functionName, request: [bareId, ...request] });

type PointOf = ReturnType<typeof at>;

/** `Deliver`: on a busy machine an attempt may be slow, and `deliver-slowly` makes the next. */
const whileDelivering: [doing: string, before: number, PointOf][] = [
  ['hands deliveries on', 200, at('RouteEvent', 'SendMessageBatch')],
  ['logs an attempt', 200, at('Deliver', 'BatchExecuteStatement', 'durationMs')],
  ['takes a backoff slot', 504, at('Deliver', 'UpdateItem', 'backoff')],
  ['makes the hourly schedule', 500, at('Deliver', 'POST /schedules/')],
  ['marks it failed', 500, at('Deliver', 'UpdateItem', ':trouble')],
  // By a statement, or by a call of its own.
  ['stores an event as pending', 500, at('Deliver', 'PendingEvents', 'reference')],
];

const whileRecovering: [doing: string, PointOf][] = [
  ['claims the hourly retry', at('RetryHourly', 'UpdateItem', ':lastBefore')],
  ['logs the hourly retry', at('RetryHourly', 'BatchWriteItem', 'durationMs')],
  ['removes the event that was confirmed', at('RetryHourly', 'DeleteItem')],
  ['ends its trouble', at('RetryHourly', 'UpdateItem', 'REMOVE trouble')],
  ['asks for the replay', at('RetryHourly', 'SendMessage')],
  ['removes the schedule', at('RetryHourly', 'DELETE /schedules/')],
  ['puts pending events back on the queue', at('RunReplay', 'SendMessageBatch')],
  ['removes what it put back', at('RunReplay', 'BatchExecuteStatement')],
];

/** Changes of a failed integration, which has a schedule, and of an inactive one, which has none. */
const whileChanging: [what: string, wasActive: boolean, PointOf][] = [
  ['a change makes the new schedule', true, at('ChangeApi', 'POST /schedules/')],
  ['a change stores the new settings', true, at('ChangeApi', 'UpdateItem', 'revision')],
  ['a change asks for the replay', true, at('ChangeApi', 'SendMessage')],
  ['a change removes a schedule', true, at('ChangeApi', 'DELETE /schedules/')],
  ['a reactivation stores the new settings', false, at('ChangeApi', 'UpdateItem', 'revision')],
  ['a reactivation asks for the replay', false, at('ChangeApi', 'SendMessage')],
];

const untilSuccessful = (call: () => Promise<ApiReply>): Promise<ApiReply> =>
  eventually(call, ({ status }) => status === 200);

describe
  .skipIf(stateDirectory === undefined)
  .concurrent('No event is lost when a function dies', () => {
    it('while it waits for the answer to a POST', async () => {
      const webhook = await webhookAt('/crash/post');
      const { promise: crashed, resolve } = Promise.withResolvers<void>();
      crashing.receiver.behave(webhook.path, async () => {
        if ((await crashing.run.crash('Deliver')) > 0) resolve();
      });

      await webhook.customer.publish(...webhook.events);

      await crashed;
      crashing.receiver.behave(webhook.path, webhook.confirm);
      await isSettled(webhook);
    });

    it.each(whileDelivering)('while it %s', async (doing, before, pointOf) => {
      const webhook = await webhookAt(`/crash/delivering/${doing.replaceAll(' ', '-')}`);
      const { bareId, confirm, customer, events, path } = webhook;
      crashing.receiver.behave(path, before === 200 ? confirm : answer(before));
      const crash = crashing.crashAt(pointOf(bareId));

      await customer.publish(...events);

      await crash.happened;
      crashing.receiver.behave(path, confirm);
      await isSettled(webhook);
    });

    it.each(whileRecovering)('while it %s', async (doing, pointOf) => {
      const webhook = await webhookAt(`/crash/recovering/${doing.replaceAll(' ', '-')}`);
      crashing.receiver.behave(webhook.path, answer(500));
      await webhook.customer.publish(...webhook.events);
      await isPending(webhook);
      const crash = crashing.crashAt(pointOf(webhook.bareId));

      crashing.receiver.behave(webhook.path, webhook.confirm);

      // Another test may crash the function first, which can use up an hour.
      await crashing.hours.passHoursUntil(webhook, async () => !crash.isToCome());
      await crash.happened;
      await isSettled(webhook);
    });
  });

// Not concurrent: the function that dies also registers the webhooks of the other tests.
describe.skipIf(stateDirectory === undefined)('No event is lost when a function dies', () => {
  it.each(whileChanging)('while %s', async (what, wasActive, pointOf) => {
    const webhook = await webhookAt(`/crash/changing/${what.replaceAll(' ', '-')}`);
    const patch = (active: boolean) =>
      webhook.customer.call('PATCH', webhook.id, { body: { active } });
    crashing.receiver.behave(webhook.path, answer(500));
    await webhook.customer.publish(...webhook.events);
    await isPending(webhook);
    if (!wasActive) await untilSuccessful(() => patch(false));
    const crash = crashing.crashAt(pointOf(webhook.bareId));

    // Another test may crash the function first. Then a change may have nothing to do until the
    // replayed events fail again, so the test calls again.
    while (crash.isToCome()) {
      expect([200, 500]).toContain((await patch(true)).status);
      await isPending(webhook);
    }

    await crash.happened;
    crashing.receiver.behave(webhook.path, webhook.confirm);
    await isSettled(webhook);
  });
});

// Not concurrent: the crashes of other functions repeat attempts.
describe.skipIf(stateDirectory === undefined)('Each attempt is counted once when', () => {
  it('the function that counts dies while an hour takes its attempts', async () => {
    const webhook = await webhookAt('/crash/counting');
    const { bareId, customer, events, confirm, path } = webhook;
    crashing.receiver.behave(path, confirm);
    const counted = (count: number) =>
      eventually(
        async () => (await customer.call('GET', `${webhook.id}/statistics`)).document,
        ({ days }) => deliveredIn(days) >= count,
      );
    const crash = crashing.crashAt(at('CountAttempts', 'UpdateItem')(bareId));

    await customer.publish(...events);
    await crash.happened;
    await counted(EVENTS);
    await customer.publish(...customer.sampleEvents(1));

    // The records of the dead function are read again before later records.
    expect(deliveredIn((await counted(EVENTS + 1)).days)).toBe(EVENTS + 1);
  });
});

// Not concurrent: the function that dies announces the changes of all tests.
describe.skipIf(stateDirectory === undefined)('Each change is announced when', () => {
  it.each([
    ['logs it', 'PutItem'],
    ['publishes it', 'PutEvents'],
  ])('the function dies while it %s', async (_doing, operation) => {
    const customer = await crashing.newCustomer();
    const { bareId, id } = await customer.register(crashing.receiver.url('/crash/announcing'));
    const announced = (kind: string) =>
      eventually(
        async () =>
          crashing.run.published
            .map(({ detail }) => detail as { integration: string; id: string })
            .filter(({ integration }) => integration === id)
            .map((detail) => detail.id),
        (ids) => ids.some((one) => one.endsWith(`-${kind}`)),
      );
    const [created = ''] = await announced('created');
    const crash = crashing.crashAt(at('AnnounceChanges', operation)(bareId));

    await customer.call('PATCH', id, { body: { active: false } });
    await crash.happened;
    await customer.call('PATCH', id, { body: { active: true } });

    // Repetitions have the same ids, and come before later changes.
    expect([...new Set(await announced('activated'))]).toEqual([
      created,
      expect.stringMatching(/-deactivated$/),
      expect.stringMatching(/-activated$/),
    ]);
  });
});

const deliveredIn = (periods: unknown): number =>
  (periods as { delivered: number }[]).reduce((sum, { delivered }) => sum + delivered, 0);
