import { describe, expect, it } from 'vitest';
import { aSender, FAILED, RECOVERED } from '../../support/changes/notice-sender.ts';
import { aNotice, at } from '../../support/changes/notices.ts';
import { anAttempt } from '../../support/delivery/attempts.ts';
import { dyingAfter } from '../../support/dying-process.ts';
import { anIntegration } from '../../support/integration/integrations.ts';

describe('the e-mail about a failure', () => {
  it('goes once to each address of the organisation’s admins', async () => {
    const { send, mailer, addresses, states } = await aSender();
    expect(await send(FAILED)).toEqual({ kind: 'sent', mails: 2, refused: [] });
    expect(addresses()).toEqual(['ada@example.com', 'cem@example.com']);
    expect(mailer.sent[0]?.text).toContain('5 events are waiting');
    expect(await states.find(anIntegration().id)).toEqual({
      notifiedSince: at('12:00:00'),
      sentAt: at('12:00:01'),
    });
  });

  it('is not repeated by a repeated request', async () => {
    const { send, addresses } = await aSender();
    await send(FAILED);
    expect(await send(FAILED)).toEqual({ kind: 'dropped', because: 'notified' });
    expect(addresses()).toHaveLength(2);
  });

  it('is followed by a reminder after a day', async () => {
    const { send, sendAt, mailer } = await aSender();
    await send(FAILED);
    const still = aNotice('still-failed', '13:00:00');
    expect(await sendAt('2026-11-21T12:00:00.000Z', still)).toMatchObject({ because: 'notified' });
    expect(await sendAt('2026-11-21T12:00:01.000Z', still)).toMatchObject({ mails: 2 });
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
    expect(await send(FAILED)).toEqual({ kind: 'dropped', because });
    expect(mailer.sent).toEqual([]);
    expect(await states.find(anIntegration().id)).toBeUndefined();
  });
});

describe('the e-mail about a recovery', () => {
  it('is sent an hour after the first, with the events delivered since', async () => {
    const { send, sendAt, store, log, mailer } = await aSender();
    await send(FAILED);
    for (const id of ['evt_1', 'evt_2']) {
      const event = { id, type: 'message.received', occurredAt: at('12:40:00') } as const;
      await log.record(anAttempt({ event, startedAt: new Date(at('13:00:30')) }));
    }
    store(anIntegration({ epoch: 1 }));
    expect(await sendAt(at('12:50:01'), RECOVERED)).toEqual({
      kind: 'waits',
      until: new Date(at('13:00:01')),
    });
    expect(await sendAt(at('13:00:01'), RECOVERED, 2)).toEqual({
      kind: 'waits',
      until: new Date(at('13:01:01')),
    });
    expect(await sendAt(at('13:01:01'), RECOVERED, 0)).toMatchObject({ kind: 'sent', mails: 2 });
    expect(mailer.sent.at(-1)?.text).toContain('2 waiting events have been delivered.');
    expect(await sendAt(at('14:30:00'), RECOVERED, 0)).toEqual({
      kind: 'dropped',
      because: 'not-notified',
    });
  });
});

describe('an address that is refused', () => {
  it('keeps no other admin from the e-mail', async () => {
    const { send, sendAt, addresses } = await aSender({ refused: ['ada@example.com'] });
    expect(await send(FAILED)).toEqual({
      kind: 'sent',
      mails: 1,
      refused: [{ user: 'ada', code: 'MessageRejected' }],
    });
    expect(addresses()).toEqual(['cem@example.com']);
    expect(await sendAt(at('12:10:00'), FAILED)).toMatchObject({ because: 'notified' });
  });

  it('is tried again with the next hourly retry if there is no other', async () => {
    const refused = ['ada@example.com', 'cem@example.com'];
    const { send, states } = await aSender({ refused });
    expect(await send(FAILED)).toMatchObject({ kind: 'sent', mails: 0 });
    expect(await states.find(anIntegration().id)).toBeUndefined();
  });
});

describe('a mail that SES does not take now', () => {
  it('is tried again while no admin got it', async () => {
    const { send, mailer } = await aSender({ failing: ['ada@example.com'] });
    await expect(send(FAILED)).rejects.toThrow('later');
    expect(mailer.sent).toEqual([]);
  });

  it('is given up if another admin got it, who would get it again and again', async () => {
    const { send, addresses } = await aSender({ failing: ['cem@example.com'] });
    expect(await send(FAILED)).toEqual({
      kind: 'sent',
      mails: 1,
      refused: [{ user: 'cem', code: 'TooManyRequestsException' }],
    });
    expect(await send(FAILED)).toMatchObject({ because: 'notified' });
    expect(addresses()).toEqual(['ada@example.com']);
  });
});

describe('a mail that takes SES long', () => {
  it('keeps the state from being written too late: the other admins get none', async () => {
    const { send, addresses, states } = await aSender({ mailMs: 25_001 });
    expect(await send(FAILED)).toEqual({
      kind: 'sent',
      mails: 1,
      refused: [{ user: 'cem', code: 'OutOfTime' }],
    });
    expect(addresses()).toEqual(['ada@example.com']);
    expect(await states.find(anIntegration().id)).toMatchObject({ notifiedSince: at('12:00:00') });
  });
});

describe('a process that dies while it sends e-mails', () => {
  it('loses none, and repeats them at worst, whichever call was its last', async () => {
    let repeated = 0;
    for (let calls = 0; ; calls += 1) {
      const { build, send, mailer, states } = await aSender();
      const died = await build(dyingAfter(calls))(FAILED).then(
        () => false,
        (fault: Error) => fault.message === 'died',
      );
      const before = mailer.sent.length;
      await send(FAILED);
      const [first = ''] = mailer.sent.map(({ subject }) => subject);
      expect(new Set(mailer.sent.map(({ to }) => to)).size).toBe(2);
      expect(mailer.sent.every(({ subject }) => subject === first)).toBe(true);
      expect(await states.find(anIntegration().id)).toMatchObject({
        notifiedSince: at('12:00:00'),
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
