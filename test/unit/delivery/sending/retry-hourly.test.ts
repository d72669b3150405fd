import { describe, expect, it } from 'vitest';
import {
  answered,
  ScriptedWebhookEndpoint,
} from '../../../support/delivery/scripted-webhook-endpoint.ts';
import {
  answering,
  aRetry,
  eventOf,
  FAILED,
  hanging,
  ONE_O_CLOCK,
  REQUEST,
  SCHEDULE,
  TWO_O_CLOCK,
} from '../../../support/delivery/sending/hourly-retry.ts';
import { troubled } from '../../../support/delivery/trouble/troubled.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';

describe('the hourly retry', () => {
  it.each(['busy', 'failed'] as const)(
    'makes one attempt, of the oldest event; its success ends that the integration is %s',
    async (kind) => {
      const endpoint = answering(204);
      const { retry, integrations, replays, schedules, pendingIds, deliveryLog } = await aRetry({
        stored: troubled(kind),
        endpoint,
      });
      expect(await retry(SCHEDULE)).toMatchObject({ kind: 'retried', endedTrouble: true });
      expect(deliveryLog.attempts).toMatchObject([
        { event: { id: 'evt_1' }, number: 2, trigger: 'hourly' },
      ]);
      expect(integrations.all).toEqual([anIntegration({ epoch: 4, confirmedAt: ONE_O_CLOCK })]);
      expect(pendingIds()).toEqual(['evt_2', 'evt_3']);
      expect(replays.requested).toEqual([REQUEST]);
      expect(schedules.all).toEqual([]);
    },
  );

  it.each([500, 504])('leaves the integration failed with an error: %i', async (statusCode) => {
    const { retry, integrations, replays, schedules } = await aRetry({
      endpoint: answering(statusCode),
    });
    expect(await retry(SCHEDULE)).toMatchObject({ kind: 'retried', endedTrouble: false });
    const claimed = { claimedAt: ONE_O_CLOCK, nextAttemptAt: TWO_O_CLOCK };
    expect(integrations.all).toEqual([
      troubled('failed', { statusCode, lastAttemptAt: ONE_O_CLOCK, ...claimed }),
    ]);
    expect(schedules.all).toEqual([SCHEDULE]);
    expect(replays.requested).toEqual([]);
  });

  it.each([500, 504])('keeps the event after an error, its attempt counted: %i', async (status) => {
    const pending = [eventOf(1)];
    const { retry, pendingEvents } = await aRetry({ endpoint: answering(status), pending });
    await retry(SCHEDULE);
    expect(pendingEvents.of(REQUEST.id)).toEqual([
      {
        ...eventOf(1),
        priorAttempts: 2,
        ...(status === 500 && { refusedAt: ONE_O_CLOCK }),
      },
    ]);
  });

  it('is made once when two of it run at once', async () => {
    const { retry, deliveryLog } = await aRetry({ endpoint: hanging() });
    const results = await Promise.all([retry(SCHEDULE), retry(SCHEDULE)]);
    expect(results.map(({ kind }) => kind).toSorted()).toEqual(['not-due', 'retried']);
    expect(deliveryLog.attempts).toHaveLength(1);
  });

  it('comes at the first firing of a schedule that is older than the trouble', async () => {
    const { retry, integrations } = await aRetry({
      stored: troubled('failed', {
        since: '2026-11-20T12:59:59.000Z',
        nextAttemptAt: '2026-11-20T13:59:59.000Z',
      }),
      endpoint: hanging(),
    });
    expect(await retry(SCHEDULE)).toMatchObject({ kind: 'retried' });
    expect(integrations.all).toMatchObject([
      { trouble: { claimedAt: ONE_O_CLOCK, nextAttemptAt: TWO_O_CLOCK } },
    ]);
  });

  it.each([
    ['some minutes late after one on time', '2026-11-20T12:05:00.000Z', 'retried'],
    ['half an hour after one that was late', '2026-11-20T12:30:00.000Z', 'retried'],
    ['a second time in the same hour', '2026-11-20T12:30:00.001Z', 'not-due'],
  ])('tells when its schedule fires %s', async (_case, claimedAt, kind) => {
    const { retry } = await aRetry({
      stored: troubled('failed', { claimedAt }),
      endpoint: hanging(),
    });
    expect(await retry(SCHEDULE)).toMatchObject({ kind });
  });

  it.each([200, 500])('does not touch settings changed during its attempt: %i', async (status) => {
    const changed = anIntegration({ epoch: 5, revision: 2 });
    const endpoint = new ScriptedWebhookEndpoint(async () => {
      await integrations.replace(changed, FAILED);
      return answered(status);
    });
    const { retry, integrations } = await aRetry({ endpoint });
    expect(await retry(SCHEDULE)).toMatchObject({ kind: 'retried', endedTrouble: false });
    expect(integrations.all).toEqual([changed]);
  });

  it('ends the trouble when nothing is pending: there is nothing to wait for', async () => {
    const { retry, integrations, schedules } = await aRetry({ pending: [] });
    expect(await retry(SCHEDULE)).toEqual({ kind: 'nothing-pending', endedTrouble: true });
    expect(integrations.all).toEqual([anIntegration({ epoch: 4 })]);
    expect(schedules.all).toEqual([]);
  });
});
