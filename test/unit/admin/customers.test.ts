import { describe, expect, it } from 'vitest';
import { CANARY_INTEGRATION } from '../../../core/delivery/canary.ts';
import type { Integration } from '../../../core/integration/integration.ts';
import { attemptOf, deliveryAt } from '../../support/delivery/logged-deliveries.ts';
import { aStreamedDelivery } from '../../support/delivery/streamed-deliveries.ts';
import { commandLineInMemory } from '../../support/directory/command-line-in-memory.ts';
import { A_MESSAGE } from '../../support/event/platform-events.ts';
import { aConfig } from '../../support/integration/in-memory-secrets.ts';
import { anIntegration } from '../../support/integration/integrations.ts';

const FAILED: Partial<Integration> = {
  trouble: {
    kind: 'failed',
    since: '2026-11-20T11:00:00.000Z',
    lastAttemptAt: '2026-11-20T11:30:00.000Z',
    nextAttemptAt: '2026-11-20T12:30:00.000Z',
    statusCode: 500,
  },
  setAside: 2,
};

const SECRETS = {
  webhookSecret: 'the secret of a webhook',
  clientSecret: 'the secret of a client',
  headers: { 'X-Api-Key': 'the key of a gateway' },
  previousSecrets: [{ secret: 'the secret before', expiresAt: '2026-11-21T12:00:00.000Z' }],
};

const withIntegrations = async (...overrides: Partial<Integration>[]) => {
  const line = commandLineInMemory();
  await line.run('accounts', 'create', 'acme');
  for (const wish of overrides) await line.integrations.add(anIntegration(wish));
  return line;
};

const idsIn = (out: string): string[] =>
  JSON.parse(out).integrations.map(({ id }: { id: string }) => id);

describe('integrations list', () => {
  const ids = ['000000000001', '000000000002', '000000000003'] as const;
  const [active, failed, inactive] = ids;
  const some = () =>
    withIntegrations(
      { id: failed, ...FAILED, description: 'Orders' },
      { id: active },
      { id: inactive, active: false },
      { id: '000000000004', account: 'globex', ...FAILED },
    );

  it('shows the integrations of an account, with pending events and failures', async () => {
    const { run, pendingEvents } = await some();
    for (const second of [1, 2, 3]) {
      await pendingEvents.put({ ...deliveryAt(second), integration: failed }, A_MESSAGE);
    }
    const { out } = await run('integrations', 'list', '--account', 'acme');

    expect(out.split('\n')).toEqual([
      expect.stringMatching(
        /^INTEGRATION +STATUS +SINCE +LATEST +PENDING +SET ASIDE +ADDRESS +DESCRIPTION$/,
      ),
      expect.stringMatching(/^000000000001 +active +- +- +0 +0 +https:/),
      expect.stringMatching(
        /^000000000002 +failed +2026-11-20T11:00:00.000Z +500 +3 +2 +https:.* Orders$/,
      ),
      expect.stringMatching(/^000000000003 +inactive +- +- +0 +0 +https:/),
      '',
    ]);
  });

  it('counts pending events of one integration to 100 and no further', async () => {
    const { run, pendingEvents } = await some();
    for (let second = 0; second < 101; second++) {
      await pendingEvents.put({ ...deliveryAt(second), integration: failed }, A_MESSAGE);
    }
    const { out } = await run('integrations', 'list', '--account', 'acme', '--status', 'failed');

    expect(out).toMatch(/ 500 +100\+ +2 /);
  });

  it('lists integrations of one status', async () => {
    const { run } = await some();
    const words = ['integrations', 'list', '--json', '--status', 'failed'];

    expect(idsIn((await run(...words, '--account', 'acme')).out)).toEqual([failed]);
    expect(idsIn((await run(...words, '--all')).out)).toEqual([failed, '000000000004']);
    expect((await run('integrations', 'list', '--account', 'acme', '--status', 'busy')).out).toBe(
      'No integrations.\n',
    );
  });

  it.each([1, 2, 3])('shows all, %i at a time, each once', async (limit) => {
    const { run } = await some();
    const words = ['integrations', 'list', '--all', '--json', '--limit', String(limit)];
    const shown: string[] = [];
    let next: string | undefined;
    do {
      const { out } = await run(...words, ...(next === undefined ? [] : ['--after', next]));
      expect(idsIn(out).length).toBeLessThanOrEqual(limit);
      shown.push(...idsIn(out));
      ({ next } = JSON.parse(out));
    } while (next !== undefined);

    expect(shown.toSorted()).toEqual([...ids, '000000000004']);
  });

  it('says how to go on', async () => {
    const { run } = await some();
    const { out } = await run('integrations', 'list', '--all', '--limit', '1');
    const cursor = /^More: add --after (\S+)$/m.exec(out)?.[1] ?? '';

    expect((await run('integrations', 'list', '--all', '--after', cursor)).out).not.toContain(
      'More',
    );
    expect(await run('integrations', 'list', '--all', '--after', 'nonsense')).toMatchObject({
      exitCode: 2,
      error: expect.stringContaining('an account and an id'),
    });
  });

  it('refuses an account that does not exist, or has no integrations', async () => {
    const { run } = await some();
    await run('accounts', 'create', 'acme-sms', '--parent', 'acme');
    const listOf = (account: string) => run('integrations', 'list', '--account', account);

    expect((await listOf('beta')).error).toContain('There is no account "beta"');
    expect((await listOf('acme-sms')).error).toContain('is below "acme"');
  });
});

describe('integrations show', () => {
  const words = ['integrations', 'show', '0123456789Ab', '--account', 'acme'];

  it('shows what waits, since when, and what was refused last', async () => {
    const { settings } = anIntegration();
    const { run, pendingEvents, log } = await withIntegrations({
      ...FAILED,
      settings: { ...settings, onFatalError: 'continue', filter: '{"a":["x"]}' },
      description: 'Orders',
      config: aConfig({ headers: { 'X-Api-Key': 'the key of a gateway', 'X-Tenant': 'acme' } }),
    });
    const [delivered, refused, waiting] = [1, 2, 3].map((second) => deliveryAt(second));
    if (!delivered || !refused || !waiting) throw new Error('Three deliveries are needed.');
    await log.list([delivered, refused, waiting]);
    await log.record(attemptOf(delivered, 204));
    await log.record(attemptOf(refused, 500));
    for (const delivery of [waiting, refused]) await pendingEvents.put(delivery, A_MESSAGE);
    const { out } = await run(...words);

    expect(out).toMatch(/^ +description +Orders$/m);
    expect(out).toMatch(/^ +headers +X-Api-Key, X-Tenant$/m);
    expect(out).toMatch(/^ +settings\.onFatalError +continue$/m);
    expect(out).toMatch(/^ +settings\.filter +\{"a":\["x"\]\}$/m);
    expect(out).toMatch(/^ +latest attempt +2026-11-20T11:30:00.000Z {2}500$/m);
    expect(out).toMatch(/^ +pending +2$/m);
    expect(out).toMatch(/^ +oldest pending +evt_2 {2}of 2026-11-20T12:00:02.000Z$/m);
    expect(out).toMatch(/^ +not delivered +evt_2 {2}2026-11-20T12:00:03.000Z {2}fatal 500$/m);
    expect(JSON.parse((await run(...words, '--json')).out)).toMatchObject({
      account: 'acme',
      id: '0123456789Ab',
      status: 'failed',
      description: 'Orders',
      config: { headers: { 'X-Api-Key': '[FILTERED]' } },
      settings: { onFatalError: 'continue' },
      trouble: { kind: 'failed', statusCode: 500 },
      pendingEvents: { count: 2, isExact: true },
      oldestPendingEvent: { id: 'evt_2' },
      setAsideEvents: 2,
      latestUndelivered: { event: { id: 'evt_2' }, attempt: { outcome: 'fatal', statusCode: 500 } },
    });
  });

  it('shows how slow the endpoint was lately', async () => {
    const slowness = { score: 16, notedAt: '2026-11-20T11:00:00.000Z' };
    const { run } = await withIntegrations({ slowness });

    expect((await run(...words)).out).toMatch(/^ +slowness +16 {2}at 2026-11-20T11:00:00.000Z$/m);
    expect(JSON.parse((await run(...words, '--json')).out)).toMatchObject({ slowness });
  });

  it('shows the canary’s integration, which is of no account', async () => {
    const { run } = await withIntegrations(CANARY_INTEGRATION);
    const { account, id } = CANARY_INTEGRATION;
    const { out } = await run('integrations', 'show', id, '--account', account, '--json');

    expect(JSON.parse(out)).toMatchObject(CANARY_INTEGRATION);
  });

  it('says on one line that there is none', async () => {
    const { run } = await withIntegrations({ account: 'globex' });

    expect(await run(...words)).toMatchObject({
      exitCode: 1,
      error: 'error: The integration does not exist.\n',
    });
  });
});

it.each([
  ['integrations', 'list', '--account', 'acme'],
  ['integrations', 'list', '--all'],
  ['integrations', 'show', '0123456789Ab', '--account', 'acme'],
])('no secret is shown by %s %s', async (...words) => {
  const config = aConfig(SECRETS);
  const { run } = await withIntegrations({ config });
  for (const { out, exitCode } of [await run(...words), await run(...words, '--json')]) {
    expect(exitCode).toBe(0);
    expect(out).not.toMatch(/sealed|the secret/);
  }
});

describe('deliveries show', () => {
  const words = ['deliveries', 'show', 'evt_1', '--integration', '0123456789Ab'];

  it('shows the attempts, and the body when it is asked for', async () => {
    const { run, log } = await withIntegrations({});
    const delivery = deliveryAt(1);
    await log.list([delivery]);
    await log.record(attemptOf(delivery, 503, { number: 1 }));
    await log.record(attemptOf(delivery, 204, { number: 2, trigger: 'manual' }));
    const { out } = await run(...words, '--account', 'acme');

    expect(out).toMatch(/^ +outcome +delivered$/m);
    expect(out).toMatch(/^1 +event +40 +2026-11-20T12:00:02.000Z {2}fatal 503$/m);
    expect(out).toMatch(/^2 +manual +40 +2026-11-20T12:00:03.000Z {2}delivered 204$/m);
    expect(out).not.toContain(delivery.body);
    const whole = await run(...words, '--account', 'acme', '--body', '--json');
    expect(JSON.parse(whole.out)).toMatchObject({
      account: 'acme',
      event: 'evt_1',
      outcome: 'delivered',
      attempts: [{ number: 1, statusCode: 503 }, { number: 2 }],
      body: delivery.body,
    });
  });

  it('says on one line that the log has none', async () => {
    const { run } = await withIntegrations({});

    expect(await run(...words, '--account', 'acme')).toMatchObject({
      exitCode: 1,
      error: 'error: The delivery does not exist.\n',
    });
  });
});

describe('deliveries find', () => {
  const find = ['deliveries', 'find'] as const;

  /** The deliveries of as many events about one message, a second after each other. */
  const withDeliveries = async (count: number) => {
    const line = await withIntegrations({}, { id: '000000000002', account: 'globex' });
    for (let second = 1; second <= count; second += 1) {
      const body = JSON.stringify({ data: { message: { id: 'msg_1' } } });
      const delivery = { ...deliveryAt(second), body };
      await line.log.list([delivery]);
      await line.index.add('1', [aStreamedDelivery({ event: delivery.event })]);
      if (second === 1) await line.log.record(attemptOf(delivery, 503));
    }
    return line;
  };

  it('shows the deliveries about a message, the newest first', async () => {
    const { run } = await withDeliveries(2);
    const { out } = await run(...find, 'msg_1', '--account', 'acme');

    expect(out.split('\n')).toEqual([
      expect.stringMatching(/^INTEGRATION +EVENT +TYPE +OCCURRED +DELIVERED +LATEST ATTEMPT$/),
      expect.stringMatching(/^0123456789Ab +evt_2 .* no +not attempted$/),
      expect.stringMatching(/^0123456789Ab +evt_1 .* no +2026-11-20T12:00:02.000Z {2}fatal 503$/),
      '',
    ]);
    const { deliveries, isMore } = JSON.parse(
      (await run(...find, 'evt_1', '--account', 'acme', '--json')).out,
    );
    expect([deliveries, isMore]).toEqual([
      [
        {
          integration: '0123456789Ab',
          event: 'evt_1',
          eventType: 'message.received',
          occurredAt: '2026-11-20T12:00:01.000Z',
          outcome: 'fatal',
          latestAttempt: expect.objectContaining({ statusCode: 503 }),
        },
      ],
      false,
    ]);
  });

  it('says that there may be more than a hundred', async () => {
    const { run } = await withDeliveries(101);
    const { out } = await run(...find, 'msg_1', '--account', 'acme');

    expect(out.trimEnd().split('\n')).toHaveLength(102);
    expect(out).toMatch(/There may be more\.\n$/);
  });

  it('finds nothing of another account, and names an unknown one', async () => {
    const { run } = await withDeliveries(1);
    await run('accounts', 'create', 'globex');

    expect((await run(...find, 'msg_1', '--account', 'globex')).out).toContain('No deliveries');
    expect(await run(...find, 'msg_1', '--account', 'nobody')).toMatchObject({
      exitCode: 1,
      error: expect.stringContaining('There is no account "nobody"'),
    });
  });
});

describe('users show', () => {
  it('shows the user, and who signs in', async () => {
    const { run } = await withIntegrations();
    await run('users', 'create', 'ada', '--account', 'acme', '--role', 'admin');
    expect((await run('users', 'show', 'ada')).out).toContain('Nobody signs in as this user.');
    await run('users', 'identify', 'ada', '--issuer', 'https://id.example.com', '--sub', 's_1');

    expect((await run('users', 'show', 'ada')).out).toMatch(/^https:\/\/id.example.com +s_1$/m);
    await run('users', 'email', 'ada', 'ada@example.com');
    expect((await run('users', 'show', 'ada')).out).toMatch(/e-mail +ada@example.com$/m);
    expect((await run('users', 'email', 'ada', '-')).out).not.toContain('ada@example.com');
    expect(JSON.parse((await run('users', 'show', 'ada', '--json')).out)).toMatchObject({
      id: 'ada',
      role: 'admin',
      identities: [{ issuer: 'https://id.example.com', subject: 's_1' }],
    });
    expect((await run('users', 'show', 'bob')).error).toContain('There is no user "bob"');
  });
});
