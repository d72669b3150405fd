import { describe, expect, it } from 'vitest';
import {
  decideNotice,
  type NoticeDecision,
  type NoticeState,
  replayedBy,
  stateAfter,
} from '../../../core/changes/notice-policy.ts';
import type { NoticeRequest } from '../../../core/changes/notice-request.ts';
import type { Integration } from '../../../core/integration/integration.ts';
import { aNotice, at, failedSince, HOUR_MS } from '../../support/changes/notices.ts';
import { anIntegration } from '../../support/integration/integrations.ts';

const FAILED = aNotice('failed', '12:00:00', { since: at('12:00:00') });
const STILL = aNotice('still-failed', '13:00:00', { since: at('12:00:00') });
const RECOVERED = aNotice('recovered', '12:20:00', { since: at('12:00:00') });
const REMINDER = aNotice('still-inactive', '12:20:00');
const SET_ASIDE = aNotice('event-set-aside', '12:20:00');

const told = (since: string | undefined, sentAt: string): NoticeState => ({
  notifiedSince: since && at(since),
  sentAt: at(sentAt),
});

/** After an e-mail about something else. */
const other = (sentAt: string): NoticeState => told(undefined, sentAt);

const until = (time: string): Date => new Date(at(time));

type Case = readonly [
  title: string,
  request: NoticeRequest,
  integration: Integration | undefined,
  state: NoticeState | undefined,
  now: string,
  expected: NoticeDecision,
];

const HEALTHY = anIntegration();
const FAILED_NOW = failedSince('12:00:00');
const FAILED_AGAIN = failedSince('12:10:00');
const TOLD = told('12:00:00', '12:00:01');
const SOME = anIntegration({ setAside: 2 });
const NONE = anIntegration({ setAside: 0 });
const INACTIVE = anIntegration({ active: false });
const { settings } = INACTIVE;
const KEEPING: Integration = { ...INACTIVE, settings: { ...settings, whileInactive: 'keep' } };
const ACTIVE: Integration = { ...KEEPING, active: true };
const DAY_BEFORE: NoticeState = {
  notifiedSince: '2026-11-19T08:00:00.000Z',
  sentAt: '2026-11-19T12:30:00.000Z',
};
const SINCE_YESTERDAY = failedSince('08:00:00', { since: '2026-11-19T08:00:00.000Z' });
/** An e-mail about events set aside, the day before. */
const asideAt = (time: string): NoticeState => ({
  sentAt: at('10:00:00'),
  setAsideAt: `2026-11-19T${time}.000Z`,
});
const LATER_FAILURE = aNotice('recovered', '12:40:00', { since: at('12:30:00') });

describe('a request for an e-mail', () => {
  it.each<Case>([
    ['tells a failure at once', FAILED, FAILED_NOW, undefined, '12:00:01', 'send'],
    ['is dropped if it is deleted', FAILED, undefined, undefined, '12:00:01', 'deleted'],
    ['is dropped if the failure has ended', FAILED, HEALTHY, undefined, '12:00:01', 'over'],
    ['tells no failure twice', FAILED, FAILED_NOW, TOLD, '12:00:02', 'notified'],
    ['tells another after an hour', FAILED, FAILED_AGAIN, TOLD, '12:10:01', until('13:00:01')],
    ['tells it then', FAILED, FAILED_AGAIN, TOLD, '13:00:01', 'send'],

    ['of an hourly retry is needless', STILL, FAILED_NOW, TOLD, '13:00:00', 'notified'],
    ['of one reminds after a day', STILL, SINCE_YESTERDAY, DAY_BEFORE, '12:30:00', 'send'],
    ['reminds no sooner', STILL, SINCE_YESTERDAY, DAY_BEFORE, '12:29:59', 'notified'],
    ['of one tells what was never told', STILL, FAILED_NOW, undefined, '13:00:00', 'send'],

    ['tells a recovery after an hour', RECOVERED, HEALTHY, TOLD, '12:20:01', until('13:00:01')],
    ['tells it then, too', RECOVERED, HEALTHY, TOLD, '13:00:01', 'send'],
    ['tells none of what was not told', RECOVERED, HEALTHY, undefined, '12:20:01', 'not-notified'],
    [
      'tells none from before that failure',
      RECOVERED,
      HEALTHY,
      told('12:10:00', '12:10:01'),
      '14:00:00',
      'not-notified',
    ],
    ['tells the recovery of a later failure', LATER_FAILURE, HEALTHY, TOLD, '13:00:01', 'send'],
    // It may recover once more within the hour.
    ['tells none once it failed again', RECOVERED, FAILED_AGAIN, TOLD, '13:00:01', 'over'],
    ['waits to see', RECOVERED, FAILED_AGAIN, TOLD, '13:00:00', until('13:00:01')],
    [
      'tells none of what is inactive',
      RECOVERED,
      INACTIVE,
      told('12:00:00', '11:00:01'),
      '12:20:01',
      'over',
    ],

    ['tells of events set aside', SET_ASIDE, SOME, undefined, '12:20:01', 'send'],
    ['tells it once an hour', SET_ASIDE, SOME, other('12:19:59'), '12:20:01', until('13:19:59')],
    ['tells no event twice', SET_ASIDE, SOME, other('12:20:01'), '12:21:00', 'notified'],
    // Its instant is in whole seconds: the e-mail may have left it out.
    ['waits if of that second', SET_ASIDE, SOME, other('12:20:00'), '12:21:00', until('13:20:00')],
    ['tells of no more within a day', SET_ASIDE, SOME, asideAt('12:20:02'), '12:20:01', 'notified'],
    ['tells of more after it', SET_ASIDE, SOME, asideAt('12:20:01'), '12:20:01', 'send'],
    ['tells of none that were resent', SET_ASIDE, NONE, undefined, '12:20:01', 'over'],

    ['reminds of an inactive webhook', REMINDER, KEEPING, undefined, '12:20:01', 'send'],
    ['reminds of it once', REMINDER, KEEPING, other('12:20:00'), '14:00:00', 'notified'],
    [
      'reminds an hour after another',
      REMINDER,
      KEEPING,
      other('12:19:59'),
      '12:20:01',
      until('13:19:59'),
    ],
    ['reminds of none that is active', REMINDER, ACTIVE, undefined, '12:20:01', 'over'],
    ['reminds of none that keeps nothing', REMINDER, INACTIVE, undefined, '12:20:01', 'over'],
  ])('%s', (_title, request, integration, state, now, expected) => {
    const clock = { now: new Date(at(now)), hourMs: HOUR_MS };
    expect(decideNotice(request, { integration, state }, clock)).toEqual(expected);
  });

  it('waits as long as an hour of the stage', () => {
    const known = { integration: FAILED_AGAIN, state: told('12:00:00', '12:10:00') };
    const clock = { now: new Date(at('12:10:01')), hourMs: 10_000 };
    expect(decideNotice(FAILED, known, clock)).toEqual(until('12:10:10'));
  });
});

describe('a recovery', () => {
  const look = (now: string, pending: number, request = RECOVERED) =>
    replayedBy(request, pending, { now: new Date(at(now)), hourMs: HOUR_MS });

  it('waits a minute, and a quarter of an hour while events are pending', () => {
    expect(look('12:20:10', 3)).toEqual(new Date(at('12:21:10')));
    expect(look('12:34:59', 3)).toEqual(new Date(at('12:35:59')));
    expect(look('12:35:00', 3)).toBeUndefined();
    expect(look('12:20:10', 0)).toEqual(new Date(at('12:21:10')));
    expect(look('12:21:00', 0)).toBeUndefined();
  });

  it('waits five seconds at least, however short the hour is', () => {
    const [hourMs, pending] = [6_000, 0];
    const lookAt = (now: string) =>
      replayedBy(RECOVERED, pending, { now: new Date(at(now)), hourMs });
    expect(lookAt('12:20:04')).toEqual(new Date('2026-11-20T12:20:04.100Z'));
    expect(lookAt('12:20:05')).toBeUndefined();
  });

  it('is the only notice that waits for a replay', () => {
    expect(look('12:20:10', 3, SET_ASIDE)).toBeUndefined();
  });
});

describe('what was told', () => {
  it.each<[NoticeRequest, Integration, NoticeState]>([
    [FAILED, FAILED_AGAIN, told('12:10:00', '13:00:00')],
    [STILL, FAILED_NOW, told('12:00:00', '13:00:00')],
    [RECOVERED, anIntegration(), { sentAt: at('13:00:00') }],
    [REMINDER, KEEPING, told('11:00:00', '13:00:00')],
    [SET_ASIDE, SOME, { ...told('11:00:00', '13:00:00'), setAsideAt: at('13:00:00'), setAside: 2 }],
  ])('follows the e-mail of %o', (request, integration, expected) => {
    const known = { integration, state: told('11:00:00', '11:00:00') };
    expect(stateAfter(request, known, new Date(at('13:00:00')))).toEqual(expected);
  });

  it('keeps when events set aside were told, beside other e-mails', () => {
    const state = { ...told('11:00:00', '11:00:00'), setAsideAt: at('10:00:00'), setAside: 1 };
    const now = new Date(at('13:00:00'));
    for (const request of [FAILED, RECOVERED]) {
      expect(stateAfter(request, { integration: SOME, state }, now)).toMatchObject({
        setAsideAt: at('10:00:00'),
        setAside: 2,
      });
    }
  });
});
