import { describe, expect, it } from 'vitest';
import { DynamoDbTroubleStates } from '../../adapters/dynamodb/dynamodb-trouble-states.ts';
import type { TroubleStates } from '../../core/delivery/trouble/troubles.ts';
import type { Integration } from '../../core/integration/integration.ts';
import {
  ATTEMPT,
  busy,
  claimAt,
  createWith as createSubjectWith,
  failed,
  inMemory,
  inTableOf,
  later,
  latest,
  TRANSIENT,
  type TroubleStateSubject,
  untroubled,
  waiting,
} from '../support/adapters/trouble-state-subjects.ts';
import { useTables } from '../support/adapters/use-tables.ts';
import { anIntegration } from '../support/integration/integrations.ts';

/** Every change, with the result of a change that is refused. */
const CHANGES: [string, (states: TroubleStates, at: Integration) => Promise<unknown>, unknown][] = [
  ['extendStreak', (states, at) => states.extendStreak(at, TRANSIENT), undefined],
  ['confirm', (states, at) => states.confirm(at, ATTEMPT.endedAt), false],
  ['begin', (states, at) => states.begin(at, later()), false],
  ['end', (states, at) => states.end(at), false],
  ['end by a success', (states, at) => states.end(at, ATTEMPT.endedAt), false],
  ['closeEpoch', (states, at) => states.closeEpoch(at), false],
  ['claimRetry', (states, at) => states.claimRetry(at, claimAt('2026-11-20T13:00:00Z')), false],
  ['noteAttempt', (states, at) => states.noteAttempt(at, latest), undefined],
];

const epochsContract = (name: string, create: () => Promise<TroubleStateSubject>) =>
  describe(`${name} as the keeper of troubles of one epoch`, () => {
    const createWith = (stored: Integration) => createSubjectWith(create, stored);

    describe.each(CHANGES)('%s', (_name, change, nothing) => {
      const stored = [untroubled, waiting, busy, failed].flatMap((integration) => [
        { epoch: 3, integration },
        { epoch: 5, integration },
      ]);
      it.each(stored)(
        'changes nothing at epoch $epoch of one that is $integration.trouble.kind',
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

epochsContract('memory', inMemory);

describe('DynamoDB', () => {
  const tables = useTables();

  epochsContract('a table', () => inTableOf(tables));

  it.each(CHANGES)('tells %s of a table that does not exist', async (_name, change) => {
    const states = new DynamoDbTroubleStates(tables.client, 'no-such-table');
    await expect(change(states, failed)).rejects.toThrow();
  });
});
