import * as fc from 'fast-check';
import { useTables } from 'local-aws/test/support/tables.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  DynamoDbChangeLog,
  DynamoDbChangeView,
} from '../../adapters/dynamodb/changes/change-log.ts';
import type { ChangeFilter, ChangeLog, ChangeView } from '../../core/changes/change-log.ts';
import { CHANGE_KINDS, type Change } from '../../core/changes/change-resource.ts';
import { Refusal } from '../../core/refusal.ts';
import { aChangeAt } from '../support/changes/changes.ts';
import { InMemoryChangeLog } from '../support/changes/in-memory-changes.ts';

interface Subject {
  readonly log: ChangeLog;
  readonly view: ChangeView;
}

const minute = (minutes: number): Date => new Date(Date.UTC(2026, 10, 20, 12, minutes));

const [ACME, OTHER] = ['/accounts/acme', '/accounts/other'];
const [ONE, ANOTHER] = ['/integrations/0123456789Ab', '/integrations/another00000'];

/** Three changes in each of ten minutes, the third of another integration. */
const ADDED: readonly Change[] = Array.from({ length: 30 }, (_, index) =>
  aChangeAt(minute(Math.floor(index / 3)).toISOString(), {
    position: `${9_999_999_999_999_999_990n + BigInt(index)}`,
    kind: CHANGE_KINDS[(index * 7) % 4] ?? 'created',
    integration: index % 3 === 2 ? ANOTHER : ONE,
  }),
);

const expected = ({ integration, kind, since, until }: ChangeFilter): readonly Change[] =>
  ADDED.toReversed().filter(
    (change) =>
      (integration ?? change.integration) === change.integration &&
      (kind ?? change.kind) === change.kind &&
      change.at >= (since?.toISOString() ?? '') &&
      change.at < (until?.toISOString() ?? '~'),
  );

const walk = async (
  view: ChangeView,
  { limit, ...filter }: ChangeFilter & { limit: number },
): Promise<readonly Change[]> => {
  const changes: Change[] = [];
  let after: string | undefined;
  do {
    const page = await view.pageOf(ACME, { ...filter, limit, after });
    expect(page.changes.length).toBeLessThanOrEqual(limit);
    changes.push(...page.changes);
    after = page.next;
  } while (after !== undefined);
  return changes;
};

const changeLogContract = (name: string, create: () => Promise<Subject>) =>
  describe(`${name} as the log of changes`, () => {
    let subject: Subject;
    beforeAll(async () => {
      subject = await create();
      await subject.log.add(ADDED);
      await subject.log.add([{ ...ADDED[0], account: OTHER } as Change]);
    });

    it('lists every change once, newest first, with any limit', async () => {
      const anyMinute = fc.integer({ min: -1, max: 11 }).map(minute);
      const anyFilter = fc.record(
        {
          integration: fc.constantFrom(ONE, ANOTHER, '/integrations/unknown00000'),
          kind: fc.constantFrom(...CHANGE_KINDS.slice(0, 5)),
          since: anyMinute,
          until: anyMinute,
        },
        { requiredKeys: [] },
      );
      await fc.assert(
        fc.asyncProperty(anyFilter, fc.integer({ min: 1, max: 40 }), async (filter, limit) => {
          expect(await walk(subject.view, { ...filter, limit })).toEqual(expected(filter));
        }),
        { numRuns: 40 },
      );
    });

    it('goes on with the cursor of another filter', async () => {
      const { next } = await subject.view.pageOf(ACME, { limit: 15 });
      const pageWith = async (filter: ChangeFilter) =>
        (await subject.view.pageOf(ACME, { ...filter, limit: 40, after: next })).changes;

      expect(await pageWith({ since: minute(8) })).toEqual([]);
      expect(await pageWith({ until: minute(2) })).toEqual(expected({ until: minute(2) }));
    });

    it('leaves a change as it is that is added again', async () => {
      const { log, view } = await create();
      const change = aChangeAt(minute(1).toISOString(), { kind: 'event-set-aside', count: 7 });
      await log.add([change]);
      await log.add([{ ...change, count: 3 }, aChangeAt(minute(2).toISOString())]);

      expect((await walk(view, { limit: 10 })).map(({ count }) => count)).toEqual([undefined, 7]);
    });

    it('removes all changes of an account, and those of no other', async () => {
      const { log, view } = await create();
      await log.add([...ADDED, { ...ADDED[0], account: OTHER } as Change]);
      await log.removeAllOf(ACME);
      await log.removeAllOf(ACME);

      expect(await walk(view, { limit: 40 })).toEqual([]);
      expect((await view.pageOf(OTHER, { limit: 2 })).changes).toHaveLength(1);
    });

    it.each(['', 'Zm9v', Buffer.from('2026-11-20T12:00:00.000Z#1#created').toString('base64url')])(
      'refuses %j, which is no cursor',
      async (after) => {
        await expect(subject.view.pageOf(ACME, { limit: 1, after })).rejects.toThrow(Refusal);
      },
    );
  });

const tables = useTables();

const createOnTable = async (now = minute(0)) => {
  const { client } = tables;
  const table = await tables.createTable('account', 'entry');
  const view = new DynamoDbChangeView(client, table, { now: () => now });
  return { log: new DynamoDbChangeLog(client, table), view };
};

changeLogContract('InMemoryChangeLog', async () => {
  const log = new InMemoryChangeLog();
  return { log, view: log };
});
changeLogContract('DynamoDbChangeLog', createOnTable);

describe('DynamoDbChangeLog', () => {
  it('shows changes for 400 days', async () => {
    const { log, view } = await createOnTable(new Date(minute(5).getTime() + 400 * 86_400_000));
    await log.add(ADDED);

    expect(await walk(view, { limit: 100 })).toEqual(expected({ since: minute(6) }));
  });

  it('reads a filtered list in parts when the filter passes few changes', async () => {
    const { log, view } = await createOnTable();
    const many = Array.from({ length: 1_500 }, (_, index) =>
      aChangeAt(minute(1).toISOString(), {
        position: `${index}`,
        kind: index === 0 ? 'failed' : 'busy',
      }),
    );
    await log.add(many);

    const page = await view.pageOf(ACME, { kind: 'failed', limit: 10 });

    expect(page).toEqual({ changes: [], next: expect.any(String) });
    expect(await walk(view, { kind: 'failed', limit: 10 })).toEqual(many.slice(0, 1));
  });

  it('fails when one of the changes cannot be written', async () => {
    const log = new DynamoDbChangeLog(tables.client, 'no-such-table');

    await expect(log.add(ADDED)).rejects.toThrow();
  });
});
