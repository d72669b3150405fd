import { describe, expect, it } from 'vitest';
import { buildTroubleSchedules } from '../../../admin/retry-schedules.ts';
import { InMemoryRetrySchedules } from '../../support/delivery/trouble/in-memory-retry-schedules.ts';
import { troubled } from '../../support/delivery/trouble/troubled.ts';
import { commandLineInMemory } from '../../support/directory/command-line-in-memory.ts';
import { InMemoryIntegrations } from '../../support/integration/in-memory-integrations.ts';
import { anIntegration } from '../../support/integration/integrations.ts';

const TROUBLED = (['waiting', 'busy', 'failed'] as const).map((kind, index) => ({
  ...troubled(kind),
  id: `troubled-${kind}`,
  epoch: index,
}));
const HEALTHY = anIntegration({ id: 'healthy' });
const INACTIVE = anIntegration({ id: 'inactive', active: false });

const epochsOf = (integrations: readonly { id: string; epoch: number }[]) =>
  integrations.map(({ id, epoch }) => `${id}-${epoch}`).toSorted();

describe('stage make-schedules', () => {
  it('makes one for each integration in trouble, and counts them', async () => {
    const { run, integrations, schedules } = commandLineInMemory();
    for (const one of [...TROUBLED, HEALTHY, INACTIVE]) await integrations.add(one);
    await schedules.ensure(TROUBLED[1] ?? HEALTHY);

    const first = await run('stage', 'make-schedules');
    const again = await run('stage', 'make-schedules', '--json');

    expect(first).toMatchObject({ exitCode: 0, out: 'Schedules made: 2. Existed: 1.\n' });
    expect(JSON.parse(again.out)).toMatchObject({ stage: 'local', made: 0, existed: 3 });
    expect(epochsOf(schedules.all)).toEqual(epochsOf(TROUBLED));
  });
});

describe('a check of the schedules of integrations in trouble', () => {
  it('finds those without one of their epoch', async () => {
    const [waiting = HEALTHY, busy = HEALTHY] = TROUBLED;
    const schedules = new InMemoryRetrySchedules(busy, { ...waiting, epoch: 7 }, HEALTHY);
    const integrations = new InMemoryIntegrations(...TROUBLED, HEALTHY, INACTIVE);
    const found = await buildTroubleSchedules({ integrations, schedules }).check();
    const { without } = found;

    expect(found).toMatchObject({ inTrouble: 3, percent: 100 });
    expect(epochsOf(without)).toEqual(['troubled-failed-2', 'troubled-waiting-0']);
  });

  it('leaves out a trouble that ended while it looked', async () => {
    const integrations = new InMemoryIntegrations(...TROUBLED);
    const schedules = new InMemoryRetrySchedules();
    const { check } = buildTroubleSchedules({
      integrations,
      schedules: {
        make: () => Promise.reject(new Error('It makes schedules.')),
        exists: async (schedule) => {
          const { account, id } = schedule;
          await integrations.recover(schedule);
          await integrations.closeEpoch((await integrations.find(account, id)) ?? HEALTHY);
          return schedules.exists(schedule);
        },
      },
    });

    expect(await check()).toEqual({ inTrouble: 3, without: [], percent: 100 });
  });

  it.each([
    ['integrations', HEALTHY, { inTrouble: 0, percent: 10 }],
    ['integrations in trouble', TROUBLED[0] ?? HEALTHY, { inTrouble: 5_000, percent: 0 }],
  ])('looks at a sample of many %s', async (_which, integration, found) => {
    const page = Array.from({ length: 1_000 }, () => integration);
    const next = (index: number) => ({ account: 'acme', id: `${index}` });
    const check = buildTroubleSchedules({
      integrations: {
        find: () => Promise.reject(new Error('A schedule is missing.')),
        // A million: ten pages in each of a hundred parts.
        pageOfAll: async (after, part) => {
          const number = Number(after?.id ?? 0) + 1;
          const isLast = part !== undefined && number === 1_000 / part.of;
          return { integrations: page, ...(!isLast && { next: next(number) }) };
        },
      },
      schedules: { make: () => Promise.reject(new Error('no')), exists: async () => true },
    }).check();

    expect(await check).toEqual({ ...found, without: [] });
  });
});
