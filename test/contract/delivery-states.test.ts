import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DynamoDbDeliveryStates } from '../../adapters/dynamodb/dynamodb-delivery-states.ts';
import { DynamoDbIntegrations } from '../../adapters/dynamodb/dynamodb-integrations.ts';
import type {
  DeliveryStates,
  Integration,
  IntegrationStore,
  NewIntegrations,
  Trouble,
} from '../../core/integrations/integration.ts';
import { type EmulatedTables, startTables } from '../support/emulated-tables.ts';
import { InMemoryIntegrations } from '../support/in-memory-integrations.ts';
import { anIntegration } from '../support/integrations.ts';

interface Subject {
  readonly states: DeliveryStates;
  readonly integrations: IntegrationStore & NewIntegrations;
}

const trouble = (wishes: Partial<Trouble> = {}): Trouble => ({
  kind: 'failed',
  since: '2026-11-20T12:00:00.000Z',
  statusCode: 500,
  lastAttemptAt: '2026-11-20T11:59:59.000Z',
  nextAttemptAt: '2026-11-20T13:00:00.000Z',
  ...wishes,
});

const later = (wishes: Partial<Trouble> = {}): Trouble =>
  trouble({
    since: '2026-11-20T12:30:00.000Z',
    statusCode: undefined,
    reason: 'the connection was refused',
    lastAttemptAt: '2026-11-20T12:29:59.000Z',
    nextAttemptAt: '2026-11-20T13:30:00.000Z',
    ...wishes,
  });

const healthy = anIntegration({ incident: 4, transients: 3 });
const busy = { ...healthy, delivery: trouble({ kind: 'busy', statusCode: 504 }) };
const failed = { ...healthy, delivery: trouble() };

const claim = (dueBy: string) => ({
  dueBy: new Date(dueBy),
  nextAttemptAt: new Date('2026-11-20T14:00:00.000Z'),
});

const latest = { statusCode: 504, lastAttemptAt: '2026-11-20T13:00:05.000Z' };

/** Every change, with its answer when nothing may be changed. */
const CHANGES: [string, (states: DeliveryStates, at: Integration) => Promise<unknown>, unknown][] =
  [
    ['countTransient', (states, at) => states.countTransient(at), undefined],
    ['forgetTransients', (states, at) => states.forgetTransients(at), undefined],
    ['enterTrouble', (states, at) => states.enterTrouble(at, later()), false],
    ['leaveTrouble', (states, at) => states.leaveTrouble(at), false],
    ['closeIncident', (states, at) => states.closeIncident(at, 9), false],
    ['claimRetry', (states, at) => states.claimRetry(at, claim('2026-11-20T13:00:00Z')), false],
    ['noteAttempt', (states, at) => states.noteAttempt(at, latest), undefined],
  ];

const deliveryStatesContract = (name: string, create: () => Promise<Subject>) =>
  describe(`${name} as the keeper of delivery states`, () => {
    const createWith = async (stored: Integration) => {
      const { states, integrations } = await create();
      await integrations.add(stored);
      const find = () => integrations.find(stored.account, stored.id);
      return { states, find };
    };

    describe.each(CHANGES)('%s', (_name, change, nothing) => {
      const stored = [healthy, busy, failed].flatMap((integration) => [
        { incident: 3, integration },
        { incident: 5, integration },
      ]);
      it.each(stored)(
        'changes nothing at incident $incident of one that is $integration.delivery.kind',
        async ({ incident, integration }) => {
          const { states, find } = await createWith(integration);
          expect(await change(states, { ...integration, incident })).toBe(nothing);
          expect(await find()).toEqual(integration);
        },
      );

      it('does not bring back an integration that is gone', async () => {
        const { states, integrations } = await create();
        expect(await change(states, healthy)).toBe(nothing);
        expect(await integrations.find(healthy.account, healthy.id)).toBeUndefined();
      });

      it('leaves the other integrations of the account alone', async () => {
        const { states, integrations } = await create();
        const other = anIntegration({ id: 'bbbbbbbbbbbb', incident: 4 });
        await integrations.add(other);
        await integrations.add(failed);
        await change(states, failed);
        expect(await integrations.find(other.account, other.id)).toEqual(other);
      });
    });

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

deliveryStatesContract('memory', async () => {
  const integrations = new InMemoryIntegrations();
  return { states: integrations, integrations };
});

describe('DynamoDB', () => {
  let tables: EmulatedTables;
  beforeAll(async () => {
    tables = await startTables();
  });
  afterAll(() => tables.stop());

  deliveryStatesContract('a table', async () => {
    const table = await tables.createTable('account', 'id');
    return {
      states: new DynamoDbDeliveryStates(tables.client, table),
      integrations: new DynamoDbIntegrations(tables.client, table),
    };
  });

  it.each(CHANGES)('tells %s of a table that does not exist', async (_name, change) => {
    const states = new DynamoDbDeliveryStates(tables.client, 'no-such-table');
    await expect(change(states, failed)).rejects.toThrow();
  });
});
