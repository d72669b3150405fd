import { describe, expect, it } from 'vitest';
import { runCommandLine } from '../../../admin/command-line.ts';
import type { SignInAccounts } from '../../../core/directory/invite-user.ts';
import type { PlatformEvent } from '../../../core/event/event.ts';
import { EVENT_CATALOGUE } from '../../../core/event/event-catalogue.ts';
import { EVENT_TYPES, NOT_AN_EVENT_TYPE } from '../../../core/event/event-types.ts';
import { administrationInMemory } from '../../support/directory/administration.ts';
import { untouchable } from '../../support/untouchable.ts';

const createSubject = (files: Record<string, string> = {}) => {
  const { administration, directory } = administrationInMemory();
  const sent: PlatformEvent[] = [];
  const connections: unknown[] = [];
  const run = async (...words: string[]) => {
    const written = { out: '', error: '' };
    const exitCode = await runCommandLine(words, {
      connect: async (stage = 'local', known) => {
        connections.push({ stage, ...known });
        return {
          target: { stage, place: 'a test', clientConfig: {} },
          administration: async () => administration,
          signIns: async () => untouchable<SignInAccounts>('the user pool'),
          eventsQueue: async () => ({ send: async (event) => `message-${sent.push(event)}` }),
        };
      },
      readText: async (path) => files[path] ?? '',
      newEventId: () => 'evt_new',
      now: () => new Date('2026-11-20T12:00:00.000Z'),
      writeOut: (text) => {
        written.out += text;
      },
      writeError: (text) => {
        written.error += text;
      },
    });
    return { exitCode, ...written };
  };
  return { run, sent, connections, directory };
};

const EVENT = {
  id: 'evt_1',
  type: 'contact.created',
  account: 'acme',
  occurredAt: '2026-11-20T11:00:00Z',
  data: { contact: { id: 'con_1' } },
};

describe('the operator’s command line', () => {
  it('brings a customer from account to token', async () => {
    const { run, directory } = createSubject({ '-': 'Ada\r\nAcme\n' });
    await run('accounts', 'create', 'acme');
    await run('accounts', 'create', 'acme-sms', '--parent', 'acme');
    await run('users', 'create', 'ada', '--account', 'acme-sms');
    await run('signatures', 'set', 'ada', '-');
    const issued = await run('tokens', 'issue', '--user', 'ada', '--role', 'member', '--json');
    expect(JSON.parse(issued.out)).toMatchObject({
      token: expect.stringMatching(/^mst_/),
      account: 'acme',
      role: 'member',
    });
    expect(await directory.signatures.findSignature('ada')).toEqual({
      account: 'acme',
      content: 'Ada\r\nAcme',
    });
  });

  it('shows a token when it is issued, and neither it nor its hash ever after', async () => {
    const { run, directory } = createSubject();
    await run('accounts', 'create', 'acme');
    await run('users', 'create', 'ada', '--account', 'acme', '--role', 'admin');
    const { out } = await run('tokens', 'issue', '--user', 'ada', '--role', 'admin');
    const token = /mst_\S+/.exec(out)?.[0] ?? '';
    expect(token).toHaveLength(47);
    const [stored] = await directory.list.listOf('acme');
    const id = stored?.id ?? '';
    const later = await Promise.all([
      run('tokens', 'list', '--account', 'acme'),
      run('tokens', 'list', '--account', 'acme', '--json'),
      run('tokens', 'revoke', id, '--account', 'acme', '--json'),
    ]);
    for (const { out, exitCode } of later) {
      expect(exitCode).toBe(0);
      expect(out).toContain(id);
      expect(out).not.toContain(token);
      expect(out).not.toContain(stored?.hash);
    }
  });

  it('lists accounts, users and tokens in tables, and empty lists in words', async () => {
    const { run } = createSubject();
    await run('accounts', 'create', 'acme');
    await run('accounts', 'create', 'acme-sms', '--parent', 'acme');
    const accounts = await run('accounts', 'list', '--account', 'acme');
    expect(accounts.out).toMatch(/^ACCOUNT +PARENT +CREATED\nacme +- .*\nacme-sms +acme .*\n$/);
    expect((await run('users', 'list', '--account', 'acme')).out).toBe('No users.\n');
    expect((await run('tokens', 'list', '--account', 'acme')).out).toBe('No tokens.\n');
    await run('users', 'create', 'ada', '--account', 'acme', '--role', 'admin');
    const users = await run('users', 'list', '--account', 'acme');
    expect(users.out).toMatch(/^USER +ROLE +CREATED\nada +admin +\S+\n$/);
    await run('tokens', 'issue', '--user', 'ada', '--role', 'admin', '--name', 'the shop');
    const tokens = await run('tokens', 'list', '--account', 'acme');
    expect(tokens.out).toMatch(
      / LAST USED +REVOKED +NAME\n\S+ +ada +admin +\S+ +- +- +the shop\n$/,
    );
  });

  it('takes the deployment from its options, wherever they stand', async () => {
    const { run, connections } = createSubject();
    const options = ['--stage', 'dev', '--directory-table', 'T', '--events-queue-url', 'Q'];
    await run(...options, 'accounts', 'create', 'acme');
    await run('accounts', 'create', 'beta', ...options);
    const expected = { stage: 'dev', directoryTable: 'T', eventsQueueUrl: 'Q' };
    expect(connections).toEqual([expected, expected]);
  });

  it('says on one line why something cannot be done, and exits with 1', async () => {
    const { run } = createSubject();
    expect(await run('accounts', 'show', 'acme')).toEqual({
      exitCode: 1,
      out: '',
      error: 'error: There is no account "acme".\n',
    });
  });

  it.each([
    ['frobnicate'],
    ['accounts'],
    ['accounts', 'destroy', 'acme'],
    ['accounts', 'create'],
    ['accounts', 'create', 'acme', 'beta'],
    ['users', 'create', 'ada'],
    ['users', 'create', 'ada', '--account', 'acme', '--role', 'boss'],
    ['tokens', 'issue', '--user', 'ada', '--role', 'boss'],
    ['tokens', 'list', '--acount', 'acme'],
    ['accounts', 'list'],
    ['users', 'list'],
    ['users', 'remove'],
    ['users', 'identify', 'ada', '--issuer', 'https://id.example.com'],
    ['users', 'create', 'ada', '--account', 'acme', '--sign-in'],
    ['events', 'send'],
    ['events', 'send', '--account', 'acme'],
    ['events', 'send', '--type', 'contact.created'],
    ['events', 'send', '--account', 'acme', '--type', 'contact.created', '--data', '{'],
    ['events', 'send', '--file', 'event.json', '--account', 'acme'],
  ])('exits with 2 and points to the help for: %s %s %s', async (...words) => {
    const { run, connections } = createSubject();
    const { exitCode, out, error } = await run(...words);
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' });
    expect(error).toContain('--help');
    expect(connections).toEqual([]);
  });

  it.each([
    [],
    ['accounts'],
    ['accounts', 'create'],
    ['accounts', 'show'],
    ['accounts', 'list'],
    ['users'],
    ['users', 'create'],
    ['users', 'identify'],
    ['users', 'list'],
    ['users', 'remove'],
    ['signatures'],
    ['signatures', 'set'],
    ['tokens'],
    ['tokens', 'issue'],
    ['tokens', 'list'],
    ['tokens', 'revoke'],
    ['events'],
    ['events', 'send'],
  ])('explains itself with an example: %s %s --help', async (...words) => {
    const { exitCode, out } = await createSubject().run(...words, '--help');
    expect(exitCode).toBe(0);
    expect(out).toContain(['  npm run admin --', ...words].join(' '));
  });
});

describe('events send', () => {
  it('makes an event of its parts, happening now under a new id', async () => {
    const { run, sent } = createSubject();
    const parts = ['--account', 'acme', '--type', 'contact.created', '--data', '{"n":1}'];
    const { out } = await run('events', 'send', ...parts, '--json');
    expect(JSON.parse(out)).toEqual({ messageId: 'message-1', event: 'evt_new' });
    expect(sent).toEqual([
      {
        id: 'evt_new',
        type: 'contact.created',
        account: 'acme',
        occurredAt: '2026-11-20T12:00:00.000Z',
        data: { n: 1 },
      },
    ]);
  });

  it.each(EVENT_TYPES)('sends a sample of %s when it is given no data', async (type) => {
    const { run, sent } = createSubject();
    await run('events', 'send', '--account', 'acme', '--type', type);
    expect(sent).toMatchObject([{ type, data: EVENT_CATALOGUE[type].sample }]);
  });

  it('has no sample of a type that does not exist', async () => {
    const { run, sent } = createSubject();
    const parts = ['--account', 'acme', '--type', 'contact.lost'];
    const { exitCode, error } = await run('events', 'send', ...parts);
    expect(exitCode).toBe(1);
    expect(error).toBe(`error: The event cannot be routed: type: ${NOT_AN_EVENT_TYPE}.\n`);
    expect(sent).toEqual([]);
  });

  it('sends no sample in place of data that is wrong', async () => {
    const { run, sent } = createSubject();
    const parts = ['--account', 'acme', '--type', 'contact.created', '--data', 'null'];
    const { exitCode, error } = await run('events', 'send', ...parts);
    expect(exitCode).toBe(1);
    expect(error).toContain('data: must be an object');
    expect(sent).toEqual([]);
  });

  it('takes the id and the instant it is given', async () => {
    const { run, sent } = createSubject();
    const parts = ['--account', 'acme', '--type', 'contact.created', '--data', '{}'];
    await run('events', 'send', ...parts, '--id', 'evt_9', '--occurred-at', EVENT.occurredAt);
    expect(sent).toMatchObject([{ id: 'evt_9', occurredAt: EVENT.occurredAt }]);
  });

  it('takes a whole event from a file or the standard input', async () => {
    const text = JSON.stringify(EVENT);
    const { run, sent } = createSubject({ 'event.json': text, '-': text });
    await run('events', 'send', '--file', 'event.json');
    await run('events', 'send', '--file', '-');
    expect(sent).toEqual([EVENT, EVENT]);
  });

  it.each([
    ['not JSON', 'the message is not JSON'],
    ['[]', 'expected object'],
    [JSON.stringify({ ...EVENT, type: 'contact.lost' }), `type: ${NOT_AN_EVENT_TYPE}`],
    [JSON.stringify({ ...EVENT, id: 'a b' }), 'id: must be'],
    [JSON.stringify({ ...EVENT, occurredAt: 'yesterday' }), 'occurredAt: must be'],
    [JSON.stringify({ ...EVENT, data: [] }), 'data: must be an object'],
  ])('sends nothing that could not be routed: %s', async (text, reason) => {
    const { run, sent } = createSubject({ '-': text });
    const { exitCode, error } = await run('events', 'send', '--file', '-');
    expect(exitCode).toBe(1);
    expect(error).toContain(reason);
    expect(sent).toEqual([]);
  });
});
