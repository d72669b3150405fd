import { describe, expect, it } from 'vitest';
import type { Integration } from '../../../core/integration/integration.ts';
import { commandLineInMemory } from '../../support/directory/command-line-in-memory.ts';
import { anIntegration } from '../../support/integration/integrations.ts';

const ID = '0123456789Ab';

const inTrouble = (kind: 'busy' | 'failed'): Partial<Integration> => ({
  trouble: {
    kind,
    since: '2026-11-20T11:00:00.000Z',
    lastAttemptAt: '2026-11-20T11:30:00.000Z',
    nextAttemptAt: '2026-11-20T12:30:00.000Z',
  },
});

const withIntegrations = async (...overrides: Partial<Integration>[]) => {
  const line = commandLineInMemory();
  for (const wish of overrides) await line.integrations.add(anIntegration(wish));
  const found = async (id = ID) => (await line.integrations.find('acme', id)) ?? anIntegration();
  return { ...line, found };
};

describe('integrations deactivate and activate', () => {
  it('change the integration in the name of an operator', async () => {
    const { run, found, replays } = await withIntegrations({ id: ID });

    const { out } = await run('integrations', 'deactivate', ID, '--account', 'acme');
    expect(out).toBe(`acme/${ID} is inactive.\n`);
    expect(await found()).toMatchObject({ active: false, changedBy: { kind: 'operator' } });
    expect(replays.requested).toEqual([]);

    await run('integrations', 'activate', ID, '--account', 'acme');
    expect(await found()).toMatchObject({ active: true });
    expect(replays.requested).toMatchObject([{ id: ID }]);
  });

  it('keep the events of an inactive integration, if asked to', async () => {
    const { run, found } = await withIntegrations({ id: ID });
    const { settings } = await found();

    await run('integrations', 'deactivate', ID, '--account', 'acme', '--keep');
    const kept = { ...settings, whileInactive: 'keep' };
    expect(await found()).toMatchObject({ active: false, settings: kept });
    await run('integrations', 'activate', ID, '--account', 'acme');
    await run('integrations', 'deactivate', ID, '--account', 'acme');
    expect((await found()).settings).toEqual(kept);
  });

  it('name an integration that does not exist', async () => {
    const { run } = await withIntegrations();
    const { exitCode, error } = await run('integrations', 'deactivate', ID, '--account', 'acme');
    expect([exitCode, error]).toEqual([1, expect.stringMatching(/integration does not exist/i)]);
  });
});

describe('integrations recover', () => {
  it('ends the trouble of one integration, and replays its events', async () => {
    const { run, found, replays } = await withIntegrations({ id: ID, ...inTrouble('busy') });
    await run('accounts', 'create', 'acme');

    const { out } = await run('integrations', 'recover', ID, '--account', 'acme');
    expect(out).toBe('Recovered: 1.\n');
    expect((await found()).trouble).toBeUndefined();
    expect(replays.requested).toMatchObject([{ id: ID }]);
  });

  it.each([
    ['failed', '000000000001'],
    ['busy', '000000000002'],
  ] as const)('recovers all that are %s, and no other', async (status, id) => {
    const { run, replays } = await withIntegrations(
      { id: '000000000001', ...inTrouble('failed') },
      { id: '000000000002', ...inTrouble('busy') },
      { id: '000000000003' },
    );

    const { out } = await run('integrations', 'recover', '--all', '--status', status, '--json');
    expect(JSON.parse(out)).toEqual({ recovered: 1 });
    expect(replays.requested).toMatchObject([{ id }]);
  });

  it.each([
    [
      ['--account', 'acme'],
      ['acme/000000000001', 'acme/000000000002'],
    ],
    [['--account', 'acme', '--status', 'busy'], ['acme/000000000003']],
    [['--account', 'globex'], ['globex/000000000004']],
    [['--all'], ['acme/000000000001', 'acme/000000000002', 'globex/000000000004']],
  ])('with %j recovers %j alone', async (words, expected) => {
    const { run, replays } = await withIntegrations(
      { id: '000000000001', ...inTrouble('failed') },
      { id: '000000000002', ...inTrouble('failed') },
      { id: '000000000003', ...inTrouble('busy') },
      { id: '000000000004', account: 'globex', ...inTrouble('failed') },
    );
    for (const account of ['acme', 'globex']) await run('accounts', 'create', account);

    const { out } = await run('integrations', 'recover', ...words);

    expect(out).toBe(`Recovered: ${expected.length}.\n`);
    const recovered = replays.requested.map(({ account, id }) => `${account}/${id}`);
    expect(recovered.toSorted()).toEqual(expected);
  });

  it.each([
    [[]],
    [[ID]],
    [[ID, '--all']],
    [['--all', '--account', 'acme']],
    [[ID, '--account', 'acme', '--all']],
    [[ID, '--account', 'acme', '--status', 'failed']],
    [['--status', 'failed']],
  ])('is refused with %j', async (words) => {
    const { run, replays } = await withIntegrations({ id: ID, ...inTrouble('failed') });
    const { exitCode, error } = await run('integrations', 'recover', ...words);
    expect([exitCode, error]).toEqual([2, expect.stringMatching(/give one of|leave it out/)]);
    expect(replays.requested).toEqual([]);
  });
});
