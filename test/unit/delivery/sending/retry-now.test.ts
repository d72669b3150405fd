import { describe, expect, it } from 'vitest';
import { attemptOf } from '../../../support/delivery/logged-deliveries.ts';
import {
  answering,
  aRetry,
  eventOf,
  ONE_O_CLOCK,
  REQUEST,
  SCHEDULE,
} from '../../../support/delivery/sending/hourly-retry.ts';
import { troubled } from '../../../support/delivery/trouble/troubled.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';
import { refusalOf } from '../../../support/refusals.ts';

describe('the retry that an admin asks for', () => {
  it.each([
    [200, ['evt_1']],
    [500, ['evt_1', 'evt_3', 'evt_2']],
  ])('makes the attempts of the hourly one, as ones by hand (%i)', async (status, attempted) => {
    const { retryNow, log } = await aRetry({ endpoint: answering(status) });
    expect(await retryNow(REQUEST)).toMatchObject({ kind: 'retried' });
    expect(log.attempts).toMatchObject(
      attempted.map((id) => ({ event: { id }, trigger: 'manual' })),
    );
  });

  it.each([500, 504])('takes nothing from the hour that is due: %i', async (statusCode) => {
    const { retryNow, integrations, schedules } = await aRetry({ endpoint: answering(statusCode) });
    await retryNow(REQUEST);
    expect(integrations.all).toMatchObject([
      { trouble: { kind: 'failed', statusCode, nextAttemptAt: ONE_O_CLOCK } },
    ]);
    expect(schedules.all).toEqual([SCHEDULE]);
  });

  it.each([
    ['ends that an integration is failed', 'failed', true],
    ['leaves a busy integration to its probes', 'busy', false],
  ] as const)('%s when nothing is pending', async (_case, kind, endedTrouble) => {
    const stored = troubled(kind);
    const { retryNow, integrations, schedules } = await aRetry({ stored, pending: [] });
    expect(await retryNow(REQUEST)).toEqual({ kind: 'nothing-pending', endedTrouble });
    expect(integrations.all).toEqual([endedTrouble ? troubled('waiting') : stored]);
    expect(schedules.all).toEqual([SCHEDULE]);
  });

  it('does not send again what has arrived: it tries the next one', async () => {
    const { retryNow, log, pendingIds } = await aRetry({ endpoint: answering(500) });
    await log.record(attemptOf(eventOf(1), 200));
    await retryNow(REQUEST);
    expect(log.attempts[1]).toMatchObject({ event: { id: 'evt_2' }, trigger: 'manual' });
    expect(pendingIds()).toEqual(['evt_2', 'evt_3']);
  });

  it('sends again what has arrived and was to be sent all the same', async () => {
    const wanted = { ...eventOf(1), trigger: 'manual' as const };
    const { retryNow, log } = await aRetry({ endpoint: answering(500), pending: [wanted] });
    await log.record(attemptOf(wanted, 200));
    await retryNow(REQUEST);
    expect(log.attempts.at(-1)).toMatchObject({ event: { id: 'evt_1' }, trigger: 'manual' });
  });

  it('sends the oldest when the log cannot tell whether it has arrived', async () => {
    const { retryNow, log } = await aRetry({ endpoint: answering(500) });
    await log.record(attemptOf(eventOf(1), 200));
    log.read = () => Promise.reject(new Error('throttled'));
    await retryNow(REQUEST);
    expect(log.attempts[1]).toMatchObject({ event: { id: 'evt_1' }, trigger: 'manual' });
  });

  it('replays all that waits, without an attempt, while deliveries go on', async () => {
    const stored = troubled('waiting');
    const { retryNow, integrations, replays, schedules } = await aRetry({ stored });
    expect(await retryNow(REQUEST)).toEqual({ kind: 'woken' });
    expect(integrations.all).toEqual([stored]);
    expect(replays.requested).toEqual([REQUEST]);
    expect(schedules.all).toEqual([SCHEDULE]);
  });

  it('attempts nothing while the integration is well', async () => {
    const { retryNow, pendingIds } = await aRetry({ stored: anIntegration() });
    expect(await retryNow(REQUEST)).toEqual({ kind: 'no-trouble' });
    expect(pendingIds()).toEqual(['evt_1', 'evt_2', 'evt_3']);
  });

  it.each([
    ['inactive', { ...troubled('failed'), active: false }, 'integration-inactive'],
    ['deleted', 'deleted' as const, 'not-found'],
    ['another account’s', anIntegration({ account: 'other' }), 'not-found'],
  ])('is refused for an integration that is %s', async (_state, stored, kind) => {
    const { retryNow } = await aRetry({ stored });
    expect(await refusalOf(() => retryNow(REQUEST))).toMatchObject({ kind });
  });
});
