import { describe, expect, it } from 'vitest';
import { EVENT_CATALOGUE } from '../../../core/event/event-catalogue.ts';
import { EVENT_TYPES, NOT_AN_EVENT_TYPE } from '../../../core/event/event-types.ts';
import { commandLineInMemory } from '../../support/directory/command-line-in-memory.ts';

const EVENT = {
  id: 'evt_1',
  type: 'contact.created',
  account: 'acme',
  occurredAt: '2026-11-20T11:00:00Z',
  data: { contact: { id: 'con_1' } },
};

const withAccounts = async (files: Record<string, string> = {}) => {
  const subject = commandLineInMemory(files);
  await subject.run('accounts', 'create', 'acme');
  await subject.run('accounts', 'create', 'acme-sms', '--parent', 'acme');
  return subject;
};

describe('events send', () => {
  it('makes an event of its parts, happening now under a new id', async () => {
    const { run, sent } = await withAccounts();
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
    const { run, sent } = await withAccounts();
    await run('events', 'send', '--account', 'acme', '--type', type);
    expect(sent).toMatchObject([{ type, data: EVENT_CATALOGUE[type].sample }]);
  });

  it('takes the id and the instant it is given', async () => {
    const { run, sent } = await withAccounts();
    const parts = ['--account', 'acme', '--type', 'contact.created', '--data', '{}'];
    await run('events', 'send', ...parts, '--id', 'evt_9', '--occurred-at', EVENT.occurredAt);
    expect(sent).toMatchObject([{ id: 'evt_9', occurredAt: EVENT.occurredAt }]);
  });

  it('takes a whole event from a file or the standard input', async () => {
    const text = JSON.stringify(EVENT);
    const { run, sent } = await withAccounts({ 'event.json': text, '-': text });
    await run('events', 'send', '--file', 'event.json');
    await run('events', 'send', '--file', '-');
    expect(sent).toEqual([EVENT, EVENT]);
  });

  const withData = ['--type', 'contact.created', '--data'];

  it.each([
    ['not JSON', 'The event cannot be routed: the message is not JSON'],
    [JSON.stringify({ ...EVENT, id: 'a b' }), 'id: must be'],
    [JSON.stringify({ ...EVENT, data: [] }), 'data: must be an object'],
  ])('sends nothing that could not be routed: %s', async (text, reason) => {
    const { run, sent } = await withAccounts({ '-': text });
    const { exitCode, error } = await run('events', 'send', '--file', '-');
    expect([exitCode, sent]).toEqual([1, []]);
    expect(error).toContain(reason);
  });

  it.each([
    [
      'of a type that does not exist',
      ['acme', '--type', 'contact.lost'],
      `The event cannot be routed: type: ${NOT_AN_EVENT_TYPE}.`,
    ],
    [
      'as a sample in place of data that is wrong',
      ['acme', ...withData, 'null'],
      'The event cannot be routed: data: must be an object.',
    ],
    ['to no account', ['no-such', ...withData, '{}'], 'There is no account "no-such".'],
    [
      'to an account without integrations of its own',
      ['acme-sms', ...withData, '{}'],
      'Account "acme-sms" is below "acme", which has the integrations: name that account.',
    ],
  ])('sends nothing %s', async (_case, parts, reason) => {
    const { run, sent } = await withAccounts();
    const { exitCode, error } = await run('events', 'send', '--account', ...parts);
    expect([exitCode, error, sent]).toEqual([1, `error: ${reason}\n`, []]);
  });
});
