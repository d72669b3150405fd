import { describe, expect, it } from 'vitest';
import { limits } from '../../../lib/limits.ts';
import { commandLineInMemory } from '../../support/directory/command-line-in-memory.ts';
import { anIntegration } from '../../support/integration/integrations.ts';

const OF_ADA = { issuer: 'https://pool.example.com', subject: 'ada' };

/** A command line, and the account `acme` with the user `ada`, a token and an integration. */
const withAcme = async () => {
  const subject = commandLineInMemory();
  const { run, pool, directory, integrations } = subject;
  await run('accounts', 'create', 'acme');
  await run('users', 'create', 'ada', '--account', 'acme', '--role', 'admin');
  await run('users', 'identify', 'ada', '--issuer', OF_ADA.issuer, '--sub', OF_ADA.subject);
  await run('tokens', 'issue', '--user', 'ada', '--role', 'admin');
  pool.people.add(OF_ADA.subject);
  await integrations.add(anIntegration());
  const isThere = async () => ({
    account: (await directory.accounts.find('acme')) !== undefined,
    user: (await directory.users.find('ada')) !== undefined,
    tokens: directory.tokens.all.length,
    integrations: integrations.all.length,
    people: pool.people.size,
  });
  return { ...subject, isThere };
};

const ALL = { account: true, user: true, tokens: 1, integrations: 1, people: 1 };
const NOTHING = { account: false, user: false, tokens: 0, integrations: 0, people: 0 };

describe('accounts remove', () => {
  it('shows what it would remove, and removes nothing without a yes', async () => {
    const { run, isThere } = await withAcme();
    const { exitCode, out, error } = await run('accounts', 'remove', 'acme');
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
    expect(error).toBe(
      [
        'To be removed: account acme of stage local, with',
        '  accounts below  0',
        '  users           1',
        '  sign-ins        1',
        '  signatures      0',
        '  tokens          1',
        '  integrations    1',
        '  pending events  0',
        'error: Nothing was removed: say yes, or give --yes.',
        '',
      ].join('\n'),
    );
    expect(await isThere()).toEqual(ALL);
  });

  it('removes everything after a yes, and shows what is left until when', async () => {
    const { run, answers, isThere } = await withAcme();
    answers.push(true);
    const { exitCode, out, error } = await run('accounts', 'remove', 'acme');
    expect(exitCode).toBe(0);
    expect(error).toContain(
      [
        'Users removed: 1.',
        'Integrations removed: 1.',
        'Waiting 30 s, until the last changes of integrations are in Activity.',
      ].join('\n'),
    );
    expect(out).toMatch(/^Removed: account acme of stage local, with\n/);
    expect(out).toContain(
      [
        'Left, and expiring by itself:',
        'DATA                                          UNTIL',
        'hashes of removed tokens                      2026-11-21',
        'messages in queues, dead letters too          2026-12-04',
        'the name, which is blocked                    2026-12-04',
        'delivery log                                  2026-12-20',
        'logs                                          2026-12-20',
        'statistics                                    2026-12-21',
        'point-in-time recovery and backups of tables  2026-12-25',
      ].join('\n'),
    );
    expect(await isThere()).toEqual(NOTHING);
  });

  it('gives a script the receipt as JSON', async () => {
    const { run } = await withAcme();
    const { out } = await run('accounts', 'remove', 'acme', '--yes', '--json');
    const logged = new Date(Date.UTC(2026, 10, 20 + limits.deliveryLogRetentionDays));
    expect(JSON.parse(out)).toMatchObject({
      account: { name: 'acme' },
      removed: {
        users: 1,
        signIns: 1,
        tokens: 1,
        integrations: 1,
        pendingEvents: 0,
        isExact: true,
      },
      left: expect.arrayContaining([
        { data: 'delivery log', until: logged.toISOString().slice(0, 10) },
      ]),
    });
  });
});

describe('the dead letters of an account that is removed', () => {
  const letterOf = (account: string) => ({
    text: JSON.stringify({ id: 'evt_1', account, occurredAt: 'today' }),
    attributes: {},
  });

  const withLetters = async () => {
    const subject = await withAcme();
    await subject.run('accounts', 'create', 'acme-sms', '--parent', 'acme');
    const { events, deliveries } = subject.deadLetters;
    for (const account of ['acme', 'globex', 'acme-sms']) events.put(letterOf(account));
    deliveries.put(letterOf('acme'));
    return { ...subject, left: () => [events.ids.length, deliveries.ids.length] };
  };

  it('are dropped from all queues after a second yes, with accounts below', async () => {
    const { run, answers, left } = await withLetters();
    answers.push(true, true);
    const { out } = await run('accounts', 'remove', 'acme', '--json');

    expect(JSON.parse(out).removed.deadLetters).toBe(3);
    expect(left()).toEqual([1, 0]);
  });

  it('stay after a no', async () => {
    const { run, answers, left } = await withLetters();
    answers.push(true, false);
    const { out } = await run('accounts', 'remove', 'acme');

    expect(out).toMatch(/^ +dead letters +0$/m);
    expect(left()).toEqual([3, 1]);
  });
});

describe('the name of an account that was removed', () => {
  it('is blocked for 14 days, unless it is reused on purpose', async () => {
    const { run } = await withAcme();
    await run('accounts', 'remove', 'acme', '--yes');

    expect(await run('accounts', 'create', 'acme')).toMatchObject({
      exitCode: 1,
      error: expect.stringContaining('the name is blocked until 2026-12-04T12:00:00.000Z'),
    });
    expect((await run('accounts', 'create', 'acme', '--reuse-name')).exitCode).toBe(0);
  });

  it('is free after 14 days', async () => {
    const { run, directory } = await withAcme();
    const acme = { name: 'acme', primaryAccount: 'acme', createdAt: '' };
    await directory.accounts.remove(acme, new Date('2026-11-06T12:00:00.000Z'));

    expect((await run('accounts', 'create', 'acme')).exitCode).toBe(0);
  });
});

describe('users remove', () => {
  it('shows what it would remove, and removes nothing without a yes', async () => {
    const { run, isThere } = await withAcme();
    const { exitCode, out, error } = await run('users', 'remove', 'ada');
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
    expect(error).toContain('To be removed: user ada of account acme, stage local, with\n');
    expect(error).toContain('Nothing was removed: say yes, or give --yes.');
    expect(await isThere()).toEqual(ALL);
  });

  it('removes the person, sign-in and tokens, and shows what is left', async () => {
    const { run, answers, isThere } = await withAcme();
    answers.push(true);
    const { out } = await run('users', 'remove', 'ada', '--json');
    expect(JSON.parse(out)).toEqual({
      user: expect.objectContaining({ id: 'ada' }),
      removed: { signIns: 1, signatures: 0, tokens: 1 },
      left: [
        { data: 'hashes of removed tokens', until: '2026-11-21' },
        { data: 'logs', until: '2026-12-20' },
        { data: 'point-in-time recovery and backups of tables', until: '2026-12-25' },
      ],
    });
    expect(await isThere()).toEqual({ ...NOTHING, account: true, integrations: 1 });
  });
});
