import { type Tables, useTables } from 'local-aws/test/support/tables.ts';
import { describe } from 'vitest';
import { DynamoDbIntegrationWriter } from '../../../adapters/dynamodb/integrations/integration-writer.ts';
import { DynamoDbTroubleStates } from '../../../adapters/dynamodb/integrations/trouble-states.ts';
import type { TroubleStates } from '../../../core/delivery/trouble/troubles.ts';
import type {
  Integration,
  IntegrationReader,
  Trouble,
} from '../../../core/integration/integration.ts';
import type { IntegrationWriter } from '../../../core/integration/integration-store.ts';
import { InMemoryIntegrations } from '../integration/in-memory-integrations.ts';
import { anIntegration } from '../integration/integrations.ts';

/** The states under test, and the store of their integrations. */
export interface TroubleStateSubject {
  readonly states: TroubleStates;
  readonly integrations: Pick<IntegrationReader, 'find'> & Pick<IntegrationWriter, 'add'>;
}

export const trouble = (overrides: Partial<Trouble> = {}): Trouble => ({
  kind: 'failed',
  since: '2026-11-20T12:00:00.000Z',
  statusCode: 500,
  lastAttemptAt: '2026-11-20T11:59:59.000Z',
  nextAttemptAt: '2026-11-20T13:00:00.000Z',
  ...overrides,
});

export const later = (overrides: Partial<Trouble> = {}): Trouble =>
  trouble({
    since: '2026-11-20T12:30:00.000Z',
    statusCode: undefined,
    reason: 'connection-refused',
    lastAttemptAt: '2026-11-20T12:29:59.000Z',
    nextAttemptAt: '2026-11-20T13:30:00.000Z',
    ...overrides,
  });

export const streakless = anIntegration({ epoch: 4 });

export const STREAK = { since: '2026-11-20T12:00:00.000Z', transients: 3, refusals: 1 };

export const untroubled = { ...streakless, streak: STREAK };

/** An attempt that began as early as an attempt may begin to count in that streak. */
export const ATTEMPT = {
  startedAt: new Date('2026-11-20T12:00:00.000Z'),
  endedAt: new Date('2026-11-20T12:00:01.000Z'),
};
export const TRANSIENT = { count: 'transients', ...ATTEMPT } as const;

export const waiting = { ...untroubled, trouble: trouble({ kind: 'waiting', statusCode: 422 }) };
export const busy = { ...untroubled, trouble: trouble({ kind: 'busy', statusCode: 504 }) };
export const failed = { ...untroubled, trouble: trouble() };

/** A claim by a schedule that fires at an instant, and never twice within half an hour. */
export const claimAt = (instant: string, claimedBy = 'a message') => ({
  claimedBy,
  lastBefore: new Date(Date.parse(instant) - 1_800_000),
  claimedAt: new Date(instant),
  nextAttemptAt: new Date(Date.parse(instant) + 3_600_000),
});

export const latest = { statusCode: 504, lastAttemptAt: '2026-11-20T13:00:05.000Z' };

/** A store in which an integration can be put, and its state be changed and read. */
const createWith = async (create: () => Promise<TroubleStateSubject>, stored: Integration) => {
  const { states, integrations } = await create();
  await integrations.add(stored);
  return { states, find: () => integrations.find(stored.account, stored.id) };
};

const inMemory = async (): Promise<TroubleStateSubject> => {
  const integrations = new InMemoryIntegrations();
  return { states: integrations, integrations };
};

/** Table Integrations, whose states are written through `client`. */
export const useTroubleTables = () => {
  const tables = useTables();
  const create = async (client = tables.client): Promise<TroubleStateSubject> => {
    const table = await tables.createTable('account', 'id');
    return {
      states: new DynamoDbTroubleStates(client, table),
      integrations: new DynamoDbIntegrationWriter(tables.client, table),
    };
  };
  return {
    tables,
    create,
    createWith: (stored: Integration, client?: Tables['client']) =>
      createWith(() => create(client), stored),
  };
};

interface Creation {
  create(): Promise<TroubleStateSubject>;
  createWith(stored: Integration): ReturnType<typeof createWith>;
}

/** The contract of the states of integrations, for the fake and the adapter. */
export const describeTroubleStates = (
  what: string,
  contract: (creation: Creation) => void,
): void => {
  describe(`${what} in memory`, () =>
    contract({ create: inMemory, createWith: (stored) => createWith(inMemory, stored) }));
  describe(`${what} in a table`, () => {
    const { create, createWith } = useTroubleTables();
    contract({ create: () => create(), createWith: (stored) => createWith(stored) });
  });
};
