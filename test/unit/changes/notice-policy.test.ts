import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decideNotice,
  type NoticeKind,
  type NoticeState,
  stateAfter,
} from '../../../core/changes/notice-policy.ts';
import { noticesFor } from '../../../core/changes/notice-request.ts';
import { canDeliver, type Integration } from '../../../core/integration/integration.ts';
import { at, failedSince, HOUR_MS } from '../../support/changes/notices.ts';
import { anIntegration } from '../../support/integration/integrations.ts';

const told = (failedSince: string | undefined, sentAt: string): NoticeState => ({
  failedSince: failedSince && at(failedSince),
  sentAt: at(sentAt),
});

/** After an e-mail about something else. */
const other = (sentAt: string): NoticeState => told(undefined, sentAt);

const until = (time: string): Date => new Date(at(time));

type Case = readonly [
  title: string,
  integration: Integration,
  state: NoticeState | undefined,
  now: string,
  expected: NoticeKind | 'nothing-new' | Date,
];

const HEALTHY = anIntegration();
const FAILED = failedSince('12:00:00');
const FAILED_AGAIN = failedSince('12:10:00');
const BUSY = failedSince('12:10:00', { kind: 'busy' });
const TOLD = told('12:00:00', '12:00:01');
const ONE = anIntegration({ setAside: 1 });
const SOME = anIntegration({ setAside: 2 });
const INACTIVE = anIntegration({ active: false, remindedAt: at('12:20:00') });
const { settings } = INACTIVE;
const KEEPING: Integration = { ...INACTIVE, settings: { ...settings, whileInactive: 'keep' } };
const KEEPING_SOME: Integration = { ...KEEPING, setAside: 2 };
const AGAIN: Integration = { ...KEEPING, inactiveSince: at('12:30:00') };
const DAY_BEFORE: NoticeState = {
  failedSince: '2026-11-19T08:00:00.000Z',
  sentAt: '2026-11-19T12:30:00.000Z',
};
const SINCE_YESTERDAY = failedSince('08:00:00', { since: '2026-11-19T08:00:00.000Z' });
/** An e-mail about events set aside, the day before. */
const asideAt = (time: string): NoticeState => ({
  sentAt: at('10:00:00'),
  setAsideAt: `2026-11-19T${time}.000Z`,
});

describe('what the admins are told', () => {
  it.each<Case>([
    ['is a failure, at once', FAILED, undefined, '12:00:01', 'failed'],
    ['is no failure twice', FAILED, TOLD, '12:00:02', 'nothing-new'],
    ['is another failure after an hour', FAILED_AGAIN, TOLD, '12:10:01', until('13:00:01')],
    ['is that failure then', FAILED_AGAIN, TOLD, '13:00:01', 'failed'],
    ['is a reminder after a day', SINCE_YESTERDAY, DAY_BEFORE, '12:30:00', 'still-failed'],
    ['is no reminder before', SINCE_YESTERDAY, DAY_BEFORE, '12:29:59', 'nothing-new'],

    ['is a recovery after an hour', HEALTHY, TOLD, '12:20:01', until('13:00:01')],
    ['is that recovery then', HEALTHY, TOLD, '13:00:01', 'recovered'],
    ['is no recovery of what they do not know', HEALTHY, undefined, '12:20:01', 'nothing-new'],
    ['is no recovery while it is busy', BUSY, TOLD, '13:00:01', 'nothing-new'],
    ['is no recovery while it is inactive', INACTIVE, TOLD, '13:00:01', 'nothing-new'],

    ['is a single event set aside', ONE, undefined, '12:20:01', 'event-set-aside'],
    ['is events set aside', SOME, undefined, '12:20:01', 'event-set-aside'],
    ['is these once an hour', SOME, other('12:19:59'), '12:20:01', until('13:19:59')],
    ['is none twice', SOME, { ...other('10:00:00'), setAside: 2 }, '12:20:01', 'nothing-new'],
    ['is no more within a day', SOME, asideAt('12:20:02'), '12:20:01', 'nothing-new'],
    ['is more after it', SOME, asideAt('12:20:01'), '12:20:01', 'event-set-aside'],

    ['is that events wait while inactive', KEEPING, undefined, '12:20:01', 'still-inactive'],
    ['is that once', KEEPING, other('12:20:00'), '14:00:00', 'nothing-new'],
    ['is that after an hour', KEEPING, other('12:19:59'), '12:20:01', until('13:19:59')],
    ['is no reminder of an earlier time', AGAIN, other('10:00:00'), '13:20:01', 'nothing-new'],
    [
      'is that before events set aside',
      KEEPING_SOME,
      asideAt('12:20:01'),
      '12:20:01',
      'still-inactive',
    ],
    ['is not that if it keeps nothing', INACTIVE, undefined, '12:20:01', 'nothing-new'],
  ])('%s', (_title, integration, state, now, expected) => {
    const clock = { now: new Date(at(now)), hourMs: HOUR_MS };
    expect(decideNotice(integration, state, clock)).toEqual(expected);
  });

  it('waits as long as an hour of the stage', () => {
    const clock = { now: new Date(at('12:10:01')), hourMs: 10_000 };
    const state = told('12:00:00', '12:10:00');
    expect(decideNotice(FAILED_AGAIN, state, clock)).toEqual(until('12:10:10'));
  });
});

const stopped = (kind: 'busy' | 'failed', since: string): Integration =>
  anIntegration({ trouble: { kind, since, lastAttemptAt: since, nextAttemptAt: since } });

/** The integration after a write at an instant. */
const WRITES: Readonly<Record<string, (now: string, before: Integration) => Integration>> = {
  healthy: () => HEALTHY,
  inactive: () => anIntegration({ active: false }),
  busy: (since) => stopped('busy', since),
  failed: (since, before) =>
    before.trouble?.kind === 'failed' ? before : stopped('failed', since),
};

describe('the admins of a webhook that is written in any order', () => {
  it('know an hour later whether it is failed or has recovered', () => {
    const write = fc.record({
      to: fc.constantFrom(...Object.keys(WRITES)),
      minutes: fc.integer({ min: 1, max: 90 }),
      isReadAtOnce: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(write), (writes) => {
        let now = new Date(at('00:00:00'));
        let integration = HEALTHY;
        let state: NoticeState | undefined;
        let isRequested = false;
        const readRequest = () => {
          const decision = decideNotice(integration, state, { now, hourMs: HOUR_MS });
          isRequested = decision instanceof Date;
          if (decision instanceof Date || decision === 'nothing-new') return;
          state = stateAfter(decision, integration, { state, now });
        };
        const pass = (minutes: number) => {
          now = new Date(now.getTime() + minutes * 60_000);
        };
        for (const { to, minutes, isReadAtOnce } of writes) {
          pass(minutes);
          const after = WRITES[to]?.(now.toISOString(), integration) ?? integration;
          const written = { id: 'write-1', writtenAt: now, before: integration, after };
          isRequested ||= noticesFor(written).length > 0;
          integration = after;
          if (isRequested && isReadAtOnce) readRequest();
        }
        pass(60);
        if (isRequested) readRequest();
        const { trouble } = integration;
        if (trouble?.kind === 'failed') expect(state?.failedSince).toBe(trouble.since);
        if (canDeliver(integration)) expect(state?.failedSince).toBeUndefined();
      }),
    );
  });
});

describe('what the admins know', () => {
  it.each<[NoticeKind, Integration, Partial<NoticeState>]>([
    ['failed', FAILED_AGAIN, { failedSince: at('12:10:00') }],
    ['still-failed', FAILED, { failedSince: at('12:00:00') }],
    ['recovered', HEALTHY, { failedSince: undefined }],
    ['still-inactive', KEEPING, { failedSince: at('11:00:00') }],
    ['event-set-aside', SOME, { setAsideAt: at('13:00:00'), setAside: 2 }],
  ])('follows an e-mail about %s', (kind, integration, expected) => {
    const state = { ...told('11:00:00', '11:00:00'), setAsideAt: at('10:00:00') };
    expect(stateAfter(kind, integration, { state, now: new Date(at('13:00:00')) })).toEqual({
      ...state,
      sentAt: at('13:00:00'),
      setAside: undefined,
      ...expected,
    });
  });
});
