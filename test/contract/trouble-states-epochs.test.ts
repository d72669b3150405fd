import { useTables } from 'local-aws/test/support/tables.ts';
import { describe, expect, it } from 'vitest';
import { DynamoDbTroubleStates } from '../../adapters/dynamodb/integrations/trouble-states.ts';
import type { TroubleStates } from '../../core/delivery/trouble/troubles.ts';
import type { Integration } from '../../core/integration/integration.ts';
import {
  ATTEMPT,
  busy,
  claimAt,
  describeTroubleStates,
  failed,
  later,
  latest,
  TRANSIENT,
  untroubled,
  waiting,
} from '../support/adapters/trouble-state-subjects.ts';
import { anIntegration } from '../support/integration/integrations.ts';

/** Every change, with the result of a change that is refused. */
const CHANGES: [string, (states: TroubleStates, at: Integration) => Promise<unknown>, unknown][] = [
  ['extendStreak', (states, at) => states.extendStreak(at, TRANSIENT), undefined],
  ['confirm', (states, at) => states.confirm(at, ATTEMPT.endedAt), false],
  ['begin', (states, at) => states.begin(at, later()), false],
  ['recover', (states, at) => states.recover(at), false],
  [
    'recover by a success',
    (states, at) => states.recover(at, { confirmedAt: ATTEMPT.endedAt }),
    false,
  ],
  ['closeEpoch', (states, at) => states.closeEpoch(at), false],
  ['claimRetry', (states, at) => states.claimRetry(at, claimAt('2026-11-20T13:00:00Z')), false],
  ['noteAttempt', (states, at) => states.noteAttempt(at, latest), false],
];

describeTroubleStates('troubles of one epoch', ({ create, createWith }) => {
  describe.each(CHANGES)('%s', (_name, change, nothing) => {
    const stored = [untroubled, waiting, busy, failed].flatMap((integration) => [
      { epoch: 3, integration },
      { epoch: 5, integration },
    ]);
    it.each(stored)(
      'changes nothing at epoch $epoch of a $integration.trouble.kind one',
      async ({ epoch, integration }) => {
        const { states, find } = await createWith(integration);
        expect(await change(states, { ...integration, epoch })).toBe(nothing);
        expect(await find()).toEqual(integration);
      },
    );

    it('does not bring back an integration that is gone', async () => {
      const { states, integrations } = await create();
      expect(await change(states, untroubled)).toBe(nothing);
      expect(await integrations.find(untroubled.account, untroubled.id)).toBeUndefined();
    });

    it('leaves the other integrations of the account alone', async () => {
      const { states, integrations } = await create();
      const other = anIntegration({ id: 'bbbbbbbbbbbb', epoch: 4 });
      await integrations.add(other);
      await integrations.add(failed);
      await change(states, failed);
      expect(await integrations.find(other.account, other.id)).toEqual(other);
    });
  });
});

const NOTED = { score: 12, notedAt: '2026-11-20T12:00:00.000Z' };
const LATER = { score: 16, notedAt: '2026-11-20T12:00:05.000Z' };
const FAST = { score: 0, notedAt: '2026-11-20T12:00:05.000Z' };

describeTroubleStates('slowness and set-aside events, in any epoch', ({ create, createWith }) => {
  const slow = { ...failed, slowness: NOTED };

  it('notes how slow an endpoint is', async () => {
    const { states, find } = await createWith(failed);
    await states.noteSlowness({ ...failed, epoch: 3 }, NOTED);
    expect(await find()).toEqual(slow);
  });

  it('notes how slow an endpoint is, unless it was noted since the read', async () => {
    const { states, find } = await createWith(slow);
    await states.noteSlowness({ ...slow, epoch: 3 }, LATER);
    expect(await find()).toEqual({ ...slow, slowness: LATER });
  });

  it('removes the note of an endpoint that is fast', async () => {
    const { states, find } = await createWith(slow);
    await states.noteSlowness(slow, FAST);
    expect(await find()).toEqual(failed);
  });

  it('needs no note of an endpoint that was fast and still is', async () => {
    const { states, find } = await createWith(failed);
    await states.noteSlowness(failed, FAST);
    expect(await find()).toEqual(failed);
  });

  it.each([
    ['that had none when it was read', failed, LATER],
    ['that had another when it was read', { ...failed, slowness: LATER }, LATER],
    ['that had another when it was read and is fast', { ...failed, slowness: LATER }, FAST],
  ])('leaves the note of an integration %s', async (_which, read, slowness) => {
    const { states, find } = await createWith(slow);
    await states.noteSlowness(read, slowness);
    expect(await find()).toEqual(slow);
  });

  it('leaves an integration without a note that had one when it was read', async () => {
    const { states, find } = await createWith(failed);
    await states.noteSlowness(slow, LATER);
    expect(await find()).toEqual(failed);
  });

  it('counts set-aside events, also concurrent ones', async () => {
    const { states, find } = await createWith(untroubled);
    const inEarlierEpoch = { ...untroubled, epoch: 3 };
    await Promise.all(Array.from({ length: 3 }, () => states.countSetAside(inEarlierEpoch, 1)));
    await states.countSetAside(untroubled, -1);
    expect(await find()).toEqual({ ...untroubled, setAside: 2 });
  });

  it('notes a reminder, unless one was noted since the read', async () => {
    const { states, find } = await createWith(untroubled);
    const noon = new Date(NOTED.notedAt);
    await states.noteReminder({ ...untroubled, epoch: 3 }, noon);
    await states.noteReminder(untroubled, new Date(LATER.notedAt));
    const reminded = { ...untroubled, remindedAt: noon.toISOString() };
    expect(await find()).toEqual(reminded);
    await states.noteReminder({ ...untroubled, remindedAt: LATER.notedAt }, noon);
    expect(await find()).toEqual(reminded);
    await states.noteReminder(reminded, new Date(LATER.notedAt));
    expect(await find()).toEqual({ ...untroubled, remindedAt: LATER.notedAt });
  });

  it('does not bring back an integration that is gone', async () => {
    const { states, integrations } = await create();
    await states.noteReminder(untroubled, new Date());
    await states.noteReminder({ ...untroubled, remindedAt: NOTED.notedAt }, new Date());
    await states.noteSlowness(untroubled, NOTED);
    await states.noteSlowness(slow, LATER);
    await states.noteSlowness(slow, FAST);
    await states.countSetAside(untroubled, 1);
    expect(await integrations.find(untroubled.account, untroubled.id)).toBeUndefined();
  });
});

describe('DynamoDB', () => {
  const tables = useTables();

  it.each(CHANGES)('tells %s of a table that does not exist', async (_name, change) => {
    const states = new DynamoDbTroubleStates(tables.client, 'no-such-table');
    await expect(change(states, failed)).rejects.toThrow();
  });

  it('fails for a table that does not exist, in any epoch', async () => {
    const states = new DynamoDbTroubleStates(tables.client, 'no-such-table');
    await expect(states.noteSlowness(untroubled, NOTED)).rejects.toThrow();
    await expect(states.countSetAside(untroubled, 1)).rejects.toThrow();
    await expect(states.noteReminder(untroubled, new Date())).rejects.toThrow();
  });
});
