import { describe, expect, it } from 'vitest';
import type { NoticeRequest } from '../../../core/changes/notice-request.ts';
import { buildSendNotice } from '../../../core/changes/send-notice.ts';
import type { Integration } from '../../../core/integration/integration.ts';
import { InMemoryMailer, InMemoryNoticeStates } from '../../support/changes/in-memory-notices.ts';
import { aNotice, at, failedSince, HOUR_MS } from '../../support/changes/notices.ts';
import { anAttempt } from '../../support/delivery/attempts.ts';
import { InMemoryDeliveryLog } from '../../support/delivery/in-memory-delivery-log.ts';
import { administrationInMemory } from '../../support/directory/administration.ts';
import { dyingAfter } from '../../support/dying-process.ts';
import { InMemoryIntegrations } from '../../support/integration/in-memory-integrations.ts';
import { anIntegration } from '../../support/integration/integrations.ts';

const FAILED = aNotice('failed', '12:00:00', { since: at('12:00:00') });
const RECOVERED = aNotice('recovered', '12:50:00', { since: at('12:00:00') });

/** An organisation with two admins who have addresses, and others who get no e-mail. */
const aSender = async ({
  stored = failedSince('12:00:00'),
  refused = [] as string[],
  failing = [] as string[],
  mailMs = 0,
} = {}) => {
  const { administration, directory } = administrationInMemory();
  await administration.createAccount('acme');
  await administration.createAccount('acme-sms', 'acme');
  for (const [id, role, email] of [
    ['ada', 'admin', 'ada@example.com'],
    ['ben', 'member', 'ben@example.com'],
    ['cem', 'admin', 'cem@example.com'],
    ['dee', 'admin', undefined],
    ['eva', 'admin', 'ada@example.com'],
  ] as const) {
    await administration.createUser(id, 'acme', role);
    await administration.setEmail(id, email);
  }
  await administration.createUser('fay', 'acme-sms');
  await administration.setEmail('fay', 'fay@example.com');
  const mailer = new InMemoryMailer({
    ...{ refused, failing },
    onSend: () => {
      now = new Date(now.getTime() + mailMs);
    },
  });
  const states = new InMemoryNoticeStates();
  const log = new InMemoryDeliveryLog();
  let pending = 5;
  let now = new Date(at('12:00:01'));
  const ports = {
    ...directory,
    integrations: new InMemoryIntegrations(...(stored ? [stored] : [])),
    states,
    mailer,
    log,
    pending: { count: async () => ({ count: pending, isExact: true }) },
    console: 'https://console.example.com',
  };
  const build = (through = <Port extends object>(port: Port): Port => port) =>
    buildSendNotice({
      ...ports,
      ...{ integrations: through(ports.integrations), states: through(states) },
      ...{ accounts: through(ports.accounts), userList: through(ports.userList) },
      ...{ mailer: through(mailer), pending: through(ports.pending), log: through(log) },
      now: () => now,
      hourMs: HOUR_MS,
    });
  return {
    ...{ administration, directory, log, mailer, states, refused, build, send: build() },
    /** Sends at a time, when so many events are pending. */
    sendAt: (instant: string, request: NoticeRequest, left = 5) => {
      now = new Date(instant);
      pending = left;
      return build()(request);
    },
    store: (integration: Integration) => {
      ports.integrations = new InMemoryIntegrations(integration);
    },
    addresses: () => mailer.sent.map(({ to }) => to),
  };
};

describe('the e-mail about a failure', () => {
  it('goes to each admin of the organisation who has an address, once to each address', async () => {
    const { send, mailer, addresses, states } = await aSender();
    expect(await send(FAILED)).toEqual({ kind: 'sent', mails: 2, refused: [] });
    expect(addresses()).toEqual(['ada@example.com', 'cem@example.com']);
    expect(mailer.sent[0]?.text).toContain('5 events wait');
    expect(await states.find(anIntegration().id)).toEqual({
      toldSince: at('12:00:00'),
      sentAt: at('12:00:01'),
    });
  });

  it('is not repeated by a repeated request', async () => {
    const { send, addresses } = await aSender();
    await send(FAILED);
    expect(await send(FAILED)).toEqual({ kind: 'dropped', because: 'told' });
    expect(addresses()).toHaveLength(2);
  });

  it('is followed by a reminder after a day', async () => {
    const { send, sendAt, mailer } = await aSender();
    await send(FAILED);
    const still = aNotice('still-failed', '13:00:00');
    expect(await sendAt('2026-11-21T12:00:00.000Z', still)).toMatchObject({ because: 'told' });
    expect(await sendAt('2026-11-21T12:00:01.000Z', still)).toMatchObject({ mails: 2 });
    expect(mailer.sent.at(-1)?.subject).toContain('still failed, for 1 day');
  });

  it.each<[string, 'switched-off' | 'no-address']>([
    ['switched e-mails off', 'switched-off'],
    ['has no admin with an address', 'no-address'],
  ])('is not sent if the account %s', async (_what, because) => {
    const { send, administration, directory, mailer, states } = await aSender();
    const account = await administration.findAccount('acme');
    if (because === 'switched-off')
      await directory.accounts.replace({ ...account, failureMail: false });
    else for (const id of ['ada', 'cem', 'eva']) await administration.setEmail(id);
    expect(await send(FAILED)).toEqual({ kind: 'dropped', because });
    expect(mailer.sent).toEqual([]);
    expect(await states.find(anIntegration().id)).toBeUndefined();
  });
});

describe('the e-mail about a recovery', () => {
  it('is sent an hour after the first, and counts the events delivered meanwhile', async () => {
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
    expect(mailer.sent.at(-1)?.text).toContain('2 events that waited have been delivered.');
    expect(await sendAt(at('14:30:00'), RECOVERED, 0)).toEqual({
      kind: 'dropped',
      because: 'untold',
    });
  });
});

describe('a failure that ended without an e-mail', () => {
  const LATER = aNotice('recovered', '15:30:00', { since: at('15:27:00') });
  const HOUR_LATER = at('13:00:01');

  it.each<[string, (scene: Awaited<ReturnType<typeof aSender>>) => Promise<unknown>]>([
    [
      'the integration is switched off',
      async ({ store, sendAt }) => {
        store(anIntegration({ active: false }));
        expect(await sendAt(HOUR_LATER, RECOVERED, 0)).toMatchObject({ because: 'over' });
      },
    ],
    [
      'the account has switched e-mails off',
      async ({ store, sendAt, administration, directory }) => {
        store(anIntegration());
        const account = await administration.findAccount('acme');
        await directory.accounts.replace({ ...account, failureMail: false });
        expect(await sendAt(HOUR_LATER, RECOVERED, 0)).toMatchObject({ because: 'switched-off' });
        await directory.accounts.replace(account);
      },
    ],
    [
      'SES refuses all addresses',
      async ({ store, sendAt, refused }) => {
        store(anIntegration());
        refused.push('ada@example.com', 'cem@example.com');
        expect(await sendAt(HOUR_LATER, RECOVERED, 0)).toMatchObject({ mails: 0 });
        refused.splice(0);
      },
    ],
  ])('is not taken for the one that a later recovery ends: %s', async (_how, end) => {
    const scene = await aSender();
    await scene.send(FAILED);
    await end(scene);

    scene.store(anIntegration());
    expect(await scene.sendAt(at('15:31:00'), LATER, 0)).toMatchObject({ because: 'untold' });
    expect(scene.mailer.sent).toHaveLength(2);
  });

  it('is told by the later recovery if it only failed again', async () => {
    const { send, sendAt, store, mailer } = await aSender();
    await send(FAILED);
    store(failedSince('15:27:00'));
    expect(await sendAt(HOUR_LATER, RECOVERED, 0)).toMatchObject({ because: 'over' });

    store(anIntegration());
    expect(await sendAt(at('15:31:01'), LATER, 0)).toMatchObject({ kind: 'sent' });
    expect(mailer.sent.at(-1)?.text).toContain('from 2026-11-20 12:00 UTC');
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
    expect(await sendAt(at('12:10:00'), FAILED)).toMatchObject({ because: 'told' });
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
    expect(await send(FAILED)).toMatchObject({ because: 'told' });
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
    expect(await states.find(anIntegration().id)).toMatchObject({ toldSince: at('12:00:00') });
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
      expect(await states.find(anIntegration().id)).toMatchObject({ toldSince: at('12:00:00') });
      if (!died) {
        expect(mailer.sent).toHaveLength(2);
        break;
      }
      if (before > 0) repeated += 1;
    }
    expect(repeated).toBe(2);
  });
});
