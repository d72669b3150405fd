import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DynamoDbDeliveryStates } from '../../adapters/dynamodb/dynamodb-delivery-states.ts';
import type { DeliveryStates, Integration } from '../../core/integrations/integration.ts';
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
} from '../support/delivery-state-subjects.ts';
import { type EmulatedTables, startTables } from '../support/emulated-tables.ts';
import { anIntegration } from '../support/integrations.ts';

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

const incidentsContract = (name: string, create: () => Promise<DeliveryStateSubject>) =>
  describe(`${name} as the keeper of delivery states of one incident`, () => {
    const createWith = (stored: Integration) => createSubjectWith(create, stored);

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
  });

incidentsContract('memory', inMemory);

describe('DynamoDB', () => {
  let tables: EmulatedTables;
  beforeAll(async () => {
    tables = await startTables();
  });
  afterAll(() => tables.stop());

  incidentsContract('a table', () => inTableOf(tables));

  it.each(CHANGES)('tells %s of a table that does not exist', async (_name, change) => {
    const states = new DynamoDbDeliveryStates(tables.client, 'no-such-table');
    await expect(change(states, failed)).rejects.toThrow();
  });
});
