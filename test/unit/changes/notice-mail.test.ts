import { describe, expect, it } from 'vitest';
import { noticeMail } from '../../../core/changes/notice-mail.ts';
import type { NoticeKind } from '../../../core/changes/notice-policy.ts';
import type { Integration } from '../../../core/integration/integration.ts';
import { subscribedTo } from '../../../core/integration/settings.ts';
import { at, failedSince } from '../../support/changes/notices.ts';
import { aConfig } from '../../support/integration/in-memory-secrets.ts';
import { anIntegration, byAdaAt } from '../../support/integration/integrations.ts';

const CONSOLE = 'https://console.example.com';
const API = 'https://api.example.com/prod';
const PAGE = `${CONSOLE}/accounts/acme/settings/integrations/0123456789Ab`;
const SETTINGS = `${CONSOLE}/accounts/acme/settings`;

interface Wishes {
  readonly pending?: number;
  readonly isExact?: boolean;
  readonly setAsideBefore?: number | undefined;
  readonly console?: string | undefined;
}

const mailOf = (
  kind: NoticeKind,
  integration: Integration,
  { pending = 0, isExact = true, ...overrides }: Wishes = {},
) =>
  noticeMail(kind, {
    integration,
    pending: { count: pending, isExact },
    now: new Date(at('14:30:00')),
    failedSince: at('12:00:00'),
    setAsideBefore: overrides.setAsideBefore,
    api: API,
    console: 'console' in overrides ? overrides.console : CONSOLE,
  });

/** After a failure from twelve on. */
const CONFIRMED = anIntegration({ confirmedAt: at('14:10:00') });

const webhookAt = (baseUrl: string): Integration => anIntegration({ config: aConfig({ baseUrl }) });

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

/** The words of the body of an HTML document. */
const wordsOfHtml = (html: string): string[] =>
  (html.split(/<body[^>]*>/)[1] ?? '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/&[a-z0-9#]+;/g, (entity) => ENTITIES[entity] ?? entity)
    .split(/\s+/)
    .filter(Boolean);

const wordsOfText = (text: string): string[] =>
  text
    .replaceAll(/^\d\. /gm, '')
    .split(/\s+/)
    .filter(Boolean);

describe('the e-mail about a failure', () => {
  it('says which webhook failed, why, since when, and what to do', () => {
    const { subject, text } = mailOf('failed', failedSince('12:00:00'), { pending: 1_234 });
    expect(subject).toBe(
      'Webhook hooks.example.com/… (0123456789Ab) failed: your endpoint answered 500 (Internal Server Error)',
    );
    expect(
      text,
    ).toBe(`The webhook hooks.example.com/… (0123456789Ab) of account acme has failed: your endpoint answered 500 (Internal Server Error).

Failed since 2026-11-20 12:00 UTC. 1,234 events are waiting. None are lost.

What to do:

1. Open the webhook: Deliveries shows what was sent and what your endpoint answered.
2. Your code failed while it handled the event. Check its logs at the time of the attempt.
3. Choose “Retry now”, or wait: the service tries again every hour. After the first success it sends the waiting events.

Open the webhook: ${PAGE}

Recover after an outage: ${API}/guides/recover

You get this e-mail because you are an admin of acme.

Turn these e-mails off for the account: ${SETTINGS}
`);
  });

  it('has the words of the API for an endpoint that did not answer', () => {
    const { subject } = mailOf('failed', failedSince('12:00:00', { reason: 'connection-refused' }));
    expect(subject).toBe(
      'Webhook hooks.example.com/… (0123456789Ab) failed: the connection was refused',
    );
  });

  it.each([
    ['12:00:00', '2 hours'],
    ['13:30:00', '1 hour'],
    ['13:30:01', '59 minutes'],
    ['14:29:00', '1 minute'],
    ['14:29:01', 'less than a minute'],
  ])('reminds of how long it has been failed: since %s, for %s', (since, span) => {
    const { subject, text } = mailOf('still-failed', failedSince(since));
    expect(subject).toBe(`Webhook hooks.example.com/… (0123456789Ab) is still failed, for ${span}`);
    expect(text).toContain(
      'acme is still failed: your endpoint answered 500 (Internal Server Error).',
    );
  });

  it('advises to go on with other events if the endpoint confirmed some', () => {
    const advised = failedSince('12:00:00', { confirmedOthers: true });
    const advice = 'continue with the other events';
    expect(mailOf('failed', advised).text).toContain(advice);
    expect(mailOf('failed', failedSince('12:00:00')).text).not.toContain(advice);
    const settings = { actions: subscribedTo(), onFatalError: 'continue' } as const;
    expect(mailOf('failed', { ...advised, settings }).text).not.toContain(advice);
  });

  it.each([
    [0, true, 'New events are waiting. None are lost.'],
    [1, true, '1 event is waiting. It is not lost.'],
    [1_000, false, 'At least 1,000 events are waiting. None are lost.'],
  ])('counts %i events, exactly: %s', (pending, isExact, words) => {
    const { text } = mailOf('failed', failedSince('12:00:00'), { pending, isExact });
    expect(text).toContain(words);
  });

  it('names calls of the API where there is no console', () => {
    const integration = { ...failedSince('12:00:00', { confirmedOthers: true }), setAside: 2 };
    const mail = mailOf('failed', integration, { console: undefined });
    expect(mail.text).toContain('POST /integrations/0123456789Ab/retry');
    expect(mail.text).toContain('GET /integrations/0123456789Ab/pending-events?state=set-aside');
    expect(mail.text).toContain('settings.onFatalError');
    expect(mail.text).toContain('PATCH /accounts/acme with {"failureMail": false}');
    expect((mail.text + mail.html).match(/https?:[^\s<"]+/g)).toEqual(
      Array(3).fill(`${API}/guides/recover`),
    );
    expect(mail).not.toHaveProperty('unsubscribe');
  });
});

describe('the e-mail about a recovery', () => {
  it.each<[Wishes, string]>([
    [{ pending: 3 }, '3 events are waiting, and sent when due.'],
    [{ pending: 1 }, '1 event is waiting, and sent when due.'],
    [{}, 'No events are waiting.'],
    [{ pending: 1_000, isExact: false }, 'At least 1,000 events are waiting, and sent when due.'],
  ])('says when it failed and worked, and how many events wait: %o', (facts, words) => {
    const { subject, text } = mailOf('recovered', CONFIRMED, facts);
    expect(subject).toBe('Webhook hooks.example.com/… (0123456789Ab) works again');
    expect(text).toContain(
      'It failed at 2026-11-20 12:00 UTC and confirmed an event at 2026-11-20 14:10 UTC.',
    );
    expect(text).toContain(`\n\n${words}\n\n`);
  });

  it.each([
    ['changed settings', anIntegration({ changedBy: byAdaAt(at('14:10:00')) })],
    ['nothing to send', anIntegration({ confirmedAt: at('11:00:00') })],
  ])('does not say that the webhook works after %s', (_what, integration) => {
    const { subject, text } = mailOf('recovered', integration);
    const words = 'is active again. Its next event shows whether it works';
    expect(subject).toBe(`Webhook hooks.example.com/… (0123456789Ab) ${words}`);
    expect(text).toContain(`of account acme ${words}. It failed at 2026-11-20 12:00 UTC.`);
  });
});

describe('the e-mail about events set aside', () => {
  it('says how many there are, and where to see and resend them', () => {
    const integration = anIntegration({ setAside: 3 });
    const { subject, text } = mailOf('event-set-aside', integration);
    expect(subject).toBe('Webhook hooks.example.com/… (0123456789Ab): 3 events set aside');
    expect(text).toContain('3 events are set aside: stored, and not sent again until you resend');
    expect(text).toContain('The webhook’s tab Waiting lists them.');
    expect(text).toContain(PAGE);
  });

  it.each([
    [undefined, '3 events', '3 events were'],
    [2, '1 event', '1 event was'],
  ])('counts those since the e-mail before, which had %s', (setAsideBefore, events, words) => {
    const integration = anIntegration({ setAside: 3 });
    const { subject, text } = mailOf('event-set-aside', integration, { setAsideBefore });
    expect(subject).toBe(`Webhook hooks.example.com/… (0123456789Ab): ${events} set aside`);
    expect(text).toContain(`${words} set aside since the last e-mail about this.`);
    expect(text).toContain('3 events are set aside: stored');
  });

  it('is part of every other e-mail while there are such events', () => {
    const { text } = mailOf('recovered', { ...CONFIRMED, setAside: 1 });
    expect(text).toContain('1 event is set aside');
  });
});

describe('the e-mail about an inactive webhook', () => {
  const inactive = anIntegration({
    active: false,
    createdAt: '2026-11-17T09:12:00.000Z',
    description: 'Orders',
  });

  it('says how many events wait, since when, and what to do', () => {
    const { subject, text } = mailOf(
      'still-inactive',
      { ...inactive, inactiveSince: '2026-11-18T10:00:00.000Z' },
      { pending: 4_210 },
    );
    expect(subject).toBe(
      'Webhook “Orders”, hooks.example.com/… (0123456789Ab) is inactive: 4,210 events wait',
    );
    expect(text).toContain(
      'of account acme has been inactive since 2026-11-18 10:00 UTC. 4,210 events are waiting. None are lost.',
    );
    expect(text).toContain('Activate it in its Settings to send them.');
    expect(text).toContain(PAGE);
  });

  it('names calls of the API where there is no console', () => {
    const { subject, text } = mailOf('still-inactive', inactive, {
      pending: 1,
      console: undefined,
    });
    expect(subject).toContain('is inactive: 1 event waits');
    expect(text).toContain('inactive since 2026-11-17 09:12 UTC. 1 event is waiting.');
    expect(text).toContain('PATCH /integrations/0123456789Ab with {"active": true} sends them');
  });
});

describe('an e-mail', () => {
  const hostile = {
    ...webhookAt('https://hooks.example.com/hidden/<b>&"\'/x?token=hidden#part'),
    trouble: failedSince('12:00:00', { reason: 'a <script> & more', confirmedOthers: true })
      .trouble,
    setAside: 1,
    description: 'Orders <i> & "more"',
  };
  const mails = (
    ['failed', 'still-failed', 'recovered', 'event-set-aside', 'still-inactive'] as const
  ).flatMap((kind) => [CONSOLE, undefined].map((console) => mailOf(kind, hostile, { console })));

  it('has the same words as text and as HTML', () => {
    for (const { text, html } of mails) expect(wordsOfHtml(html)).toEqual(wordsOfText(text));
  });

  it('escapes what it shows, and loads nothing', () => {
    for (const { html } of mails) {
      const tags = [...html.matchAll(/<\/?(\w+)/g)].map(([, name]) => name);
      expect(
        tags.filter((name) => !/^(html|head|meta|title|body|p|ol|li|a)$/.test(`${name}`)),
      ).toEqual([]);
      expect(html).not.toMatch(/src=|url\(/);
      expect(html).toContain('content="light dark"');
    }
  });

  it('leaves out path and query of the address, which may hold secrets', () => {
    expect(JSON.stringify(mails)).not.toContain('hidden');
  });

  it('names a webhook by its description, host and id', () => {
    const webhook = { ...webhookAt('https://example.com:8443/'), confirmedAt: at('14:10:00') };
    expect(mailOf('recovered', webhook).subject).toBe(
      'Webhook example.com:8443/ (0123456789Ab) works again',
    );
    expect(mailOf('recovered', { ...webhook, description: 'Orders' }).subject).toBe(
      'Webhook “Orders”, example.com:8443/ (0123456789Ab) works again',
    );
  });

  it.each([
    'https://evil.example/login?x=1',
    'HTTP://EVIL.example',
    'www.evil.example',
    'evil.example',
    'evil。example',
    'pay@evil.example',
    'mailto:pay@evil',
    '//evil.example/x',
    'javascript:alert(1)',
  ])('makes no link of the description %s', (description) => {
    const LINK = /\w:\/|:\/\/|\w[:@.。]\w|\/\w/;
    for (const kind of ['failed', 'recovered', 'event-set-aside'] as const) {
      const stored = { ...failedSince('12:00:00'), setAside: 1, description };
      const { subject, text, html } = mailOf(kind, stored);
      for (const part of [subject, text, html]) {
        const [, shown = ''] = /“(.*?)”,/.exec(part) ?? [];
        expect(shown.replaceAll('\u200b', '')).toBe(description);
        expect(shown).not.toMatch(LINK);
        expect(part).not.toContain(description);
      }
    }
  });

  it('names the page that turns e-mails off, for the mail’s header', () => {
    expect(mailOf('failed', failedSince('12:00:00')).unsubscribe).toBe(SETTINGS);
  });
});
