import { describe, expect, it } from 'vitest';
import { aSender } from '../../support/changes/notice-sender.ts';
import { aNotice, at } from '../../support/changes/notices.ts';
import { dyingAfter } from '../../support/dying-process.ts';
import { anIntegration } from '../../support/integration/integrations.ts';

describe('the e-mail about a failure', () => {
  it('goes once to each address of the organisation’s admins', async () => {
    const { send, mailer, addresses, states } = await aSender();
    expect(await send()).toEqual({
      kind: 'sent',
      about: 'failed',
      mails: 2,
      refused: [],
    });
    expect(addresses()).toEqual(['ada@example.com', 'cem@example.com']);
    expect(mailer.sent[0]?.text).toContain('5 events are waiting');
    expect(await states.find(anIntegration().id)).toEqual({
      failedSince: at('12:00:00'),
      sentAt: at('12:00:01'),
    });
  });

  it('is not repeated by a repeated request', async () => {
    const { send, addresses } = await aSender();
    await send();
    expect(await send()).toEqual({ kind: 'dropped', because: 'nothing-new' });
    expect(addresses()).toHaveLength(2);
  });

  it('is followed by a reminder after a day', async () => {
    const { send, sendAt, mailer } = await aSender();
    await send();
    const [before, after] = ['2026-11-21T12:00:00.000Z', '2026-11-21T12:00:01.000Z'];
    expect(await sendAt(before)).toMatchObject({ because: 'nothing-new' });
    expect(await sendAt(after)).toMatchObject({ about: 'still-failed', mails: 2 });
    expect(mailer.sent.at(-1)?.subject).toContain('still failed, for 1 day');
  });

  it.each<[string, 'turned-off' | 'no-address']>([
    ['turned e-mails off', 'turned-off'],
    ['has no admin with an address', 'no-address'],
  ])('is not sent if the account %s', async (_what, because) => {
    const { send, administration, directory, mailer, states } = await aSender();
    const account = await administration.findAccount('acme');
    if (because === 'turned-off')
      await directory.accounts.replace({ ...account, failureMail: false });
    else for (const id of ['ada', 'cem', 'eva']) await administration.setEmail(id);
    expect(await send()).toEqual({ kind: 'dropped', because });
    expect(mailer.sent).toEqual([]);
    expect(await states.find(anIntegration().id)).toBeUndefined();
  });
});

describe('the e-mail about a recovery', () => {
  it('is sent an hour after the first, once', async () => {
    const { send, sendAt, store, mailer } = await aSender();
    await send();
    store(anIntegration({ epoch: 1, confirmedAt: at('12:50:00') }));
    const until = new Date(at('13:00:01'));
    expect(await sendAt(at('12:50:01'))).toEqual({ kind: 'waits', until });
    expect(await sendAt(at('13:00:01'), 2)).toMatchObject({ about: 'recovered', mails: 2 });
    expect(mailer.sent.at(-1)?.text).toContain('2 events are waiting, and sent when due.');
    expect(await sendAt(at('14:30:00'))).toMatchObject({ because: 'nothing-new' });
  });
});

describe('an event that is set aside after others were resent', () => {
  it('is told, though there were as many before', async () => {
    const { sendAt, store } = await aSender({ stored: anIntegration({ setAside: 2 }) });
    expect(await sendAt(at('12:00:01'))).toMatchObject({ about: 'event-set-aside' });
    store(anIntegration({ setAside: 1 }));
    expect(await sendAt(at('12:00:02'))).toMatchObject({ because: 'nothing-new' });
    store(anIntegration({ setAside: 2 }));
    const nextDay = '2026-11-21T12:00:01.000Z';
    expect(await sendAt(nextDay)).toMatchObject({ about: 'event-set-aside' });
  });
});

describe('an address that is refused', () => {
  it('keeps no other admin from the e-mail', async () => {
    const { send, sendAt, addresses } = await aSender({ refused: ['ada@example.com'] });
    expect(await send()).toEqual({
      kind: 'sent',
      about: 'failed',
      mails: 1,
      refused: [{ user: 'ada', code: 'MessageRejected' }],
    });
    expect(addresses()).toEqual(['cem@example.com']);
    expect(await sendAt(at('12:10:00'))).toMatchObject({ because: 'nothing-new' });
  });

  it('is tried again with the next hourly retry if there is no other', async () => {
    const refused = ['ada@example.com', 'cem@example.com'];
    const { send, states } = await aSender({ refused });
    expect(await send()).toMatchObject({ kind: 'sent', mails: 0 });
    expect(await states.find(anIntegration().id)).toBeUndefined();
  });
});

describe('a mail that SES does not take now', () => {
  it('is tried again while no admin got it', async () => {
    const { send, mailer } = await aSender({ failing: ['ada@example.com'] });
    await expect(send()).rejects.toThrow('later');
    expect(mailer.sent).toEqual([]);
  });

  it('is given up if another admin got it, who would get it again and again', async () => {
    const { send, addresses } = await aSender({ failing: ['cem@example.com'] });
    expect(await send()).toEqual({
      kind: 'sent',
      about: 'failed',
      mails: 1,
      refused: [{ user: 'cem', code: 'TooManyRequestsException' }],
    });
    expect(await send()).toMatchObject({ because: 'nothing-new' });
    expect(addresses()).toEqual(['ada@example.com']);
  });
});

describe('a mail that takes SES long', () => {
  it('keeps the state from being written too late: the other admins get none', async () => {
    const { send, addresses, states } = await aSender({ mailMs: 25_001 });
    expect(await send()).toEqual({
      kind: 'sent',
      about: 'failed',
      mails: 1,
      refused: [{ user: 'cem', code: 'OutOfTime' }],
    });
    expect(addresses()).toEqual(['ada@example.com']);
    expect(await states.find(anIntegration().id)).toMatchObject({ failedSince: at('12:00:00') });
  });
});

describe('a process that dies while it sends e-mails', () => {
  it('loses none, and repeats them at worst, whichever call was its last', async () => {
    let repeated = 0;
    for (let calls = 0; ; calls += 1) {
      const { build, send, mailer, states } = await aSender();
      const died = await build(dyingAfter(calls))(aNotice()).then(
        () => false,
        (fault: Error) => fault.message === 'died',
      );
      const before = mailer.sent.length;
      await send();
      const [first = ''] = mailer.sent.map(({ subject }) => subject);
      expect(new Set(mailer.sent.map(({ to }) => to)).size).toBe(2);
      expect(mailer.sent.every(({ subject }) => subject === first)).toBe(true);
      expect(await states.find(anIntegration().id)).toMatchObject({
        failedSince: at('12:00:00'),
      });
      if (!died) {
        expect(mailer.sent).toHaveLength(2);
        break;
      }
      if (before > 0) repeated += 1;
    }
    expect(repeated).toBe(2);
  });
});
