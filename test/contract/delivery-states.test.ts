import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Integration } from '../../core/integrations/integration.ts';
import {
  busy,
  claim,
  createWith as createSubjectWith,
  type DeliveryStateSubject,
  failed,
  healthy,
  inMemory,
  inTableOf,
  later,
  latest,
  trouble,
} from '../support/delivery-state-subjects.ts';
import { type EmulatedTables, startTables } from '../support/emulated-tables.ts';

const deliveryStatesContract = (name: string, create: () => Promise<DeliveryStateSubject>) =>
  describe(`${name} as the keeper of delivery states`, () => {
    const createWith = (stored: Integration) => createSubjectWith(create, stored);

    describe('countTransient', () => {
      it.each([healthy, busy, failed])('adds one, $delivery.kind or not', async (stored) => {
        const { states, find } = await createWith(stored);
        expect(await states.countTransient(stored)).toBe(4);
        expect(await find()).toEqual({ ...stored, transients: 4 });
      });

      it('counts each of those that come side by side', async () => {
        const { states, find } = await createWith(healthy);
        await Promise.all(Array.from({ length: 10 }, () => states.countTransient(healthy)));
        expect(await find()).toEqual({ ...healthy, transients: 13 });
      });
    });

    it('forgets transients', async () => {
      const { states, find } = await createWith(healthy);
      await states.forgetTransients(healthy);
      expect(await find()).toEqual({ ...healthy, transients: 0 });
    });

    describe('enterTrouble', () => {
      it.each([
        ['healthy', 'busy', healthy, later({ kind: 'busy' })],
        ['healthy', 'failed', healthy, later()],
        [
          'busy',
          'failed',
          busy,
          later({
            nextAttemptAt: busy.delivery.nextAttemptAt,
            statusCode: 500,
            reason: undefined,
          }),
        ],
        [
          'busy',
          'failed without an answer',
          busy,
          later({
            nextAttemptAt: busy.delivery.nextAttemptAt,
            statusCode: undefined,
            reason: 'the connection was refused',
          }),
        ],
      ])('makes a %s one %s', async (_from, _to, stored, delivery) => {
        const { states, find } = await createWith(stored);
        expect(await states.enterTrouble(stored, delivery)).toBe(true);
        expect(await find()).toEqual({ ...stored, delivery });
      });

      it.each([
        ['failed', 'failed', failed, later()],
        ['failed', 'busy', failed, later({ kind: 'busy' })],
        ['busy', 'busy', busy, later({ kind: 'busy' })],
      ])('leaves a %s one as it is that would be %s', async (_is, _would, stored, delivery) => {
        const { states, find } = await createWith(stored);
        expect(await states.enterTrouble(stored, delivery)).toBe(true);
        expect(await find()).toEqual(stored);
      });
    });

    describe('leaveTrouble', () => {
      it.each([busy, failed])('makes a $delivery.kind one healthy', async (stored) => {
        const { states, find } = await createWith(stored);
        expect(await states.leaveTrouble(stored)).toBe(true);
        expect(await find()).toEqual({ ...healthy, incident: 5, transients: 0 });
      });

      it('does nothing to a healthy one', async () => {
        const { states, find } = await createWith(healthy);
        expect(await states.leaveTrouble(healthy)).toBe(false);
        expect(await find()).toEqual(healthy);
      });

      it('lets one of many that come side by side end the trouble', async () => {
        const { states, find } = await createWith(failed);
        const left = await Promise.all(
          Array.from({ length: 5 }, () => states.leaveTrouble(failed)),
        );
        expect(left.filter((wasInTrouble) => wasInTrouble)).toHaveLength(1);
        expect((await find())?.incident).toBe(5);
      });
    });

    describe('closeIncident', () => {
      it('raises the incident of a healthy one', async () => {
        const { states, find } = await createWith(healthy);
        expect(await states.closeIncident(healthy, 7)).toBe(true);
        expect(await find()).toEqual({ ...healthy, incident: 7 });
      });

      it.each([busy, failed])('leaves a $delivery.kind one as it is', async (stored) => {
        const { states, find } = await createWith(stored);
        expect(await states.closeIncident(stored, 7)).toBe(false);
        expect(await find()).toEqual(stored);
      });
    });

    describe('claimRetry', () => {
      const nextAttemptAt = '2026-11-20T14:00:00.000Z';

      it.each([busy, failed])(
        'gives a retry that is due of a $delivery.kind one',
        async (stored) => {
          const { states, find } = await createWith(stored);
          const exactly = claim(trouble().nextAttemptAt);
          expect(await states.claimRetry(stored, exactly)).toBe(true);
          expect(await find()).toEqual({
            ...stored,
            delivery: { ...stored.delivery, nextAttemptAt },
          });
        },
      );

      it('does not give one that is not due', async () => {
        const { states, find } = await createWith(failed);
        expect(await states.claimRetry(failed, claim('2026-11-20T12:59:59.999Z'))).toBe(false);
        expect(await find()).toEqual(failed);
      });

      it('gives one retry to a schedule that fires twice', async () => {
        const { states } = await createWith(failed);
        const fire = () => states.claimRetry(failed, claim('2026-11-20T13:30:00.000Z'));
        expect((await Promise.all([fire(), fire()])).toSorted()).toEqual([false, true]);
        expect(await fire()).toBe(false);
      });

      it('has none for a healthy one', async () => {
        const { states, find } = await createWith(healthy);
        expect(await states.claimRetry(healthy, claim('2026-11-20T13:00:00Z'))).toBe(false);
        expect(await find()).toEqual(healthy);
      });
    });

    describe('noteAttempt', () => {
      const { kind, since, nextAttemptAt } = trouble();

      it('takes over a status in place of a reason', async () => {
        const { states, find } = await createWith({ ...failed, delivery: later() });
        await states.noteAttempt(failed, latest);
        const { since, nextAttemptAt } = later();
        const delivery = { kind, since, nextAttemptAt, ...latest };
        expect(await find()).toStrictEqual({ ...failed, delivery });
      });

      it('takes over a reason in place of a status', async () => {
        const { states, find } = await createWith(failed);
        const noAnswer = {
          reason: 'the connection was refused',
          lastAttemptAt: '2026-11-20T13:00:05.000Z',
        };
        await states.noteAttempt(failed, noAnswer);
        const delivery = { kind, since, nextAttemptAt, ...noAnswer };
        expect(await find()).toStrictEqual({ ...failed, delivery });
      });

      it('tells a healthy one nothing', async () => {
        const { states, find } = await createWith(healthy);
        await states.noteAttempt(healthy, latest);
        expect(await find()).toEqual(healthy);
      });
    });
  });

deliveryStatesContract('memory', inMemory);

describe('DynamoDB', () => {
  let tables: EmulatedTables;
  beforeAll(async () => {
    tables = await startTables();
  });
  afterAll(() => tables.stop());

  deliveryStatesContract('a table', () => inTableOf(tables));
});
