import { STATUS_CODES } from 'node:http';
import { describe, expect, it } from 'vitest';
import { adviceFor, STATUS_NAMES, statusInWords } from '../../../core/delivery/advice.ts';
import { REASONS } from '../../../core/integration/reasons.ts';
import { bannerOf, waitingInWords } from '../../../packages/console/src/pages/webhook/banner.ts';
import {
  pastInstant,
  recoveryChoices,
  retryInWords,
} from '../../../packages/console/src/pages/webhook/recovering.ts';

const updatedAt = '2026-11-20T12:00:00.000Z';
const failure = {
  since: '2026-11-20T13:00:01.870Z',
  statusCode: 500,
  lastAttemptAt: '2026-11-20T14:00:02.104Z',
  nextAttemptAt: '2026-11-20T15:00:02.000Z',
};

describe('the banner of a webhook', () => {
  it('is not there while the webhook works', () => {
    expect(bannerOf({ status: 'active', updatedAt }, { waiting: 0 })).toBeUndefined();
    expect(bannerOf({ status: 'active', updatedAt }, { waiting: undefined })).toBeUndefined();
  });

  it('shows that events wait beside confirmed ones, and offers to send them', () => {
    expect(bannerOf({ status: 'active', updatedAt }, { waiting: 3 })).toMatchObject({
      type: 'info',
      what: 'some events are waiting',
      waiting: '3 events are waiting. None are lost.',
      canRecover: true,
    });
  });

  it('shows since when and why a webhook failed, and its next attempt', () => {
    expect(bannerOf({ status: 'failed', failure, updatedAt }, { waiting: 2 })).toEqual({
      type: 'error',
      since: failure.since,
      what: 'your endpoint answered 500 (Internal Server Error)',
      advice: expect.stringMatching(/logs/),
      page: '/reasons/status-500',
      suggestsContinue: false,
      waiting: '2 events are waiting. None are lost.',
      nextAttemptAt: failure.nextAttemptAt,
      canRecover: true,
    });
  });

  it('suggests to continue with the other events when the API advises that', () => {
    const advised = { ...failure, advice: 'The endpoint confirmed other events …' };
    const banner = bannerOf({ status: 'failed', failure: advised, updatedAt }, { waiting: 2 });
    expect(banner?.suggestsContinue).toBe(true);
  });

  it('says why a webhook is busy by its latest delivery', () => {
    const latest = { reason: 'connection-refused' };
    expect(bannerOf({ status: 'busy', updatedAt }, { waiting: 1, latest })).toMatchObject({
      type: 'warning',
      what: '20 deliveries in a row had a temporary error: the connection was refused',
      advice: expect.stringMatching(/No server is listening/),
      page: '/reasons/connection-refused',
      canRecover: true,
    });
  });

  it('says that a webhook is busy before its latest delivery is read', () => {
    expect(bannerOf({ status: 'busy', updatedAt }, { waiting: undefined })).toMatchObject({
      what: '20 deliveries in a row had a temporary error',
      waiting: 'Events are waiting. None are lost.',
    });
  });

  it('says that an inactive webhook stores nothing, and offers no recovery', () => {
    expect(bannerOf({ status: 'inactive', updatedAt }, { waiting: 0 })).toMatchObject({
      type: 'info',
      advice: expect.stringMatching(/neither sent nor stored/),
      waiting: '',
      canRecover: false,
    });
    const settings = { whileInactive: 'keep' } as const;
    expect(bannerOf({ status: 'inactive', settings, updatedAt }, { waiting: 0 })?.advice).toMatch(
      /^New events are stored, and not sent\./,
    );
    expect(bannerOf({ status: 'inactive', updatedAt }, { waiting: 4 })?.waiting).toBe(
      '4 events are waiting. None are lost. They are sent once the webhook is active again.',
    );
  });

  it('counts what waits', () => {
    expect(waitingInWords(0)).toBe('No events are waiting.');
    expect(waitingInWords(1)).toBe('1 event is waiting. It is not lost.');
    expect(waitingInWords(1_234)).toBe('1,234 events are waiting. None are lost.');
    expect(waitingInWords(10_000)).toBe('10,000 or more events are waiting. None are lost.');
  });
});

describe('what the endpoint did', () => {
  it('names the status by number and name', () => {
    expect(adviceFor({ statusCode: 500 }).what).toBe(
      'your endpoint answered 500 (Internal Server Error)',
    );
    expect(statusInWords(503)).toBe('503 Service Unavailable');
  });

  it('knows the names of RFC 9110, of which Node has two former ones', () => {
    const names = { ...STATUS_CODES, 413: 'Content Too Large', 422: 'Unprocessable Content' };
    expect(names).toMatchObject(STATUS_NAMES);
  });

  it('names a status without a common name by its number', () => {
    expect(adviceFor({ statusCode: 599 }).what).toBe('your endpoint answered 599');
    expect(statusInWords(599)).toBe('599');
  });

  it.each([
    [301, /Redirects are not followed.*Location/],
    [302, /If it takes POST requests, set/],
    [304, /Only a 2xx confirms/],
    [401, /webhook secret/],
    [403, /firewall/],
    [404, /path of the endpoint URL/],
    [405, /does not accept POST/],
    [410, /no longer exists/],
    [413, /256 KiB/],
    [429, /limits the rate/],
    [418, /refused the request/],
    [419, /CSRF token/],
    [500, /logs at the time of the attempt/],
    [502, /proxy in front/],
    [503, /overloaded or being deployed/],
    [504, /Answer 2xx first/],
    [509, /limit of traffic/],
    [511, /demands a login/],
    [522, /Cloudflare/],
    [101, /Only a 2xx confirms/],
  ])('says what to do about %i', (statusCode, advice) => {
    expect(adviceFor({ statusCode }).advice).toMatch(advice);
  });

  it('names the address that a redirect points to', () => {
    const { advice } = adviceFor({ statusCode: 308, location: 'hooks.example.com/in/' });
    expect(advice).toMatch(/ hooks\.example\.com\/in\/\. /);
  });

  const GOOGLE = 'script.googleusercontent.com/macros/echo';

  it.each([
    ['of an Apps Script', { statusCode: 302, location: GOOGLE }, /^Your Google Apps Script ran/],
    [
      'of API Gateway',
      { statusCode: 403, response: '{"message":"Missing Authentication Token"}' },
      /no POST at this path, or one for signatures of IAM/,
    ],
    [
      'of Django',
      { statusCode: 403, response: '<h1>Forbidden</h1><p>CSRF verification failed.' },
      /csrf_exempt/,
    ],
    [
      'of Flask',
      { statusCode: 400, response: '<h1>Bad Request</h1>\n<p>The CSRF token is missing.</p>' },
      /csrf\.exempt/,
    ],
    [
      'of Express',
      { statusCode: 403, response: '<pre>ForbiddenError: invalid csrf token<br>' },
      /CSRF token/,
    ],
    [
      'of Drupal',
      { statusCode: 403, response: '{"message":"X-CSRF-Token request header is missing"}' },
      /CSRF token/,
    ],
    [
      'that is a page with a token',
      { statusCode: 403, response: '<meta name="csrf-token" content="x"><h1>Blocked</h1>' },
      /firewall/,
    ],
    [
      'of Rails',
      { statusCode: 422, response: '<title>The change you wanted was rejected (422)</title>' },
      /verify_authenticity_token/,
    ],
    ['of a code of its own', { statusCode: 403, response: '{"message":"no"}' }, /firewall/],
    ['of a script elsewhere', { statusCode: 302, location: `x.${GOOGLE}` }, /not followed/],
    ['of another redirect', { statusCode: 308, location: GOOGLE }, /not followed/],
  ])('knows the answer %s', (_, observed, advice) => {
    expect(adviceFor(observed).advice).toMatch(advice);
  });

  it.each(Object.keys(REASONS))('says what to do about %s', (reason) => {
    const { what, advice, page } = adviceFor({ reason });
    expect(what).toMatch(/^[a-z0-9]/);
    expect(advice).toMatch(/\.$/);
    expect(page).toBe(`/reasons/${reason}`);
  });

  it.each(['full-moon', '__proto__', 'constructor'])('shows an unknown reason: %s', (reason) => {
    expect(adviceFor({ reason })).toEqual({
      what: `your endpoint did not answer (${reason})`,
      advice: expect.stringMatching(/Send a test/),
    });
  });
});

const now = new Date('2026-11-20T12:00:00.000Z');

describe('the choice since when to recover', () => {
  it('begins with the failure', () => {
    const since = '2026-11-20T10:00:00.000Z';
    const failure = { since, statusCode: 500, lastAttemptAt: since, nextAttemptAt: since };
    expect(recoveryChoices({ failure }, now)[0]).toMatchObject({ since });
  });

  it('has periods up to now', () => {
    expect(recoveryChoices({}, now).map(({ since }) => since)).toEqual([
      '2026-11-20T11:00:00.000Z',
      '2026-11-19T12:00:00.000Z',
      '2026-11-13T12:00:00.000Z',
      '2026-10-21T12:00:00.000Z',
    ]);
  });

  it('takes an instant of the reader’s own that is over', () => {
    const local = '2026-11-19T08:30';
    expect(pastInstant(local, now)).toBe(new Date(local).toISOString());
    expect(pastInstant('2026-11-22T08:30', now)).toBeUndefined();
    expect(pastInstant('', now)).toBeUndefined();
  });
});

describe('a retry in words', () => {
  const attempt = {
    '@type': 'Attempt',
    number: 2,
    trigger: 'manual',
    startedAt: '2026-11-20T12:00:00.000Z',
    durationMs: 40,
  } as const;

  it('says that everything is being sent', () => {
    const confirmed = { ...attempt, outcome: 'delivered' } as const;
    const recovered = { result: 'recovered', status: 'active' } as const;
    expect(retryInWords({ ...recovered, attempt: confirmed })).toEqual({
      type: 'success',
      text: 'Your endpoint confirmed the event. The waiting events are being sent.',
    });
    expect(retryInWords(recovered)).toEqual({
      type: 'success',
      text: 'All waiting events are being sent.',
    });
  });

  it('says what the endpoint still does, and what to do', () => {
    const refused = { ...attempt, outcome: 'fatal', statusCode: 404 } as const;
    const told = retryInWords({ result: 'still-failing', status: 'failed', attempt: refused });
    expect(told.type).toBe('error');
    expect(told.text).toMatch(/^Not yet: your endpoint answered 404 \(Not Found\)\. .*path/);
  });

  it('says that there was nothing to retry', () => {
    const text = (status: 'active' | 'busy') =>
      retryInWords({ result: 'nothing-to-retry', status }).text;
    expect(text('active')).toMatch(/nothing to retry/);
    expect(text('busy')).toMatch(/active again when your endpoint confirms/);
  });
});
