import { describe, expect, it } from 'vitest';
import { changesBetween, type IntegrationWrite } from '../../../core/changes/changes-between.ts';
import {
  noticeMessage,
  noticesFor,
  parseNoticeMessage,
} from '../../../core/changes/notice-request.ts';
import { UnreadableMessage } from '../../../core/delivery/message-format.ts';
import type { Integration } from '../../../core/integration/integration.ts';
import { aNotice, at, failedSince } from '../../support/changes/notices.ts';
import { anIntegration } from '../../support/integration/integrations.ts';

const noticesOf = (before: Integration | undefined, after: Integration | undefined) => {
  const write: IntegrationWrite = {
    ...{ id: 'write', writtenAt: new Date(at('12:30:00')) },
    ...{ before, after },
  };
  return noticesFor(write, changesBetween(write));
};

describe('a write of an integration asks for', () => {
  it('a notice when it fails, and when it has recovered', () => {
    const failed = failedSince('12:00:00');
    expect(noticesOf(anIntegration(), failed)).toEqual([
      aNotice('failed', '12:00:00', { since: at('12:00:00') }),
    ]);
    const recovered = anIntegration({ epoch: 1, confirmedAt: at('12:20:00') });
    expect(noticesOf(failed, recovered)).toEqual([
      aNotice('recovered', '12:30:00', { since: at('12:00:00'), endedBy: 'success' }),
    ]);
  });

  it('an e-mail when it is switched off while it is failed', () => {
    const off = anIntegration({ active: false, revision: 2, epoch: 2, updatedAt: at('12:20:00') });
    expect(noticesOf(failedSince('12:00:00'), off)).toEqual([
      aNotice('recovered', '12:20:00', { since: at('12:00:00') }),
    ]);
  });

  it('a notice when events are set aside', () => {
    expect(noticesOf(anIntegration(), anIntegration({ setAside: 1 }))).toEqual([
      aNotice('event-set-aside', '12:30:00'),
    ]);
  });

  it('a notice for each hourly retry of an integration that stays failed', () => {
    const before = failedSince('12:00:00', { claimedAt: at('13:00:01') });
    const claimed = failedSince('12:00:00', { claimedAt: at('14:00:01') });
    const expected = aNotice('still-failed', '14:00:01', { since: at('12:00:00') });
    expect(noticesOf(before, claimed)).toEqual([expected]);
    expect(noticesOf(failedSince('12:00:00'), claimed)).toEqual([expected]);
  });

  it('a reminder when an event that is kept while it is inactive notes one', () => {
    const noted = (time: string) => anIntegration({ active: false, remindedAt: at(time) });
    const expected = aNotice('still-inactive', '14:00:00');
    expect(noticesOf(anIntegration({ active: false }), noted('14:00:00'))).toEqual([expected]);
    expect(noticesOf(noted('13:00:00'), noted('14:00:00'))).toEqual([expected]);
    expect(noticesOf(noted('14:00:00'), noted('14:00:00'))).toEqual([]);
    expect(noticesOf(undefined, noted('14:00:00'))).toEqual([]);
  });

  it.each<[string, Integration | undefined, Integration | undefined]>([
    ['notes an attempt', failedSince('12:00:00'), failedSince('12:00:00', { statusCode: 503 })],
    [
      'retries a busy one',
      failedSince('12:00:00', { kind: 'busy' }),
      failedSince('12:00:00', { kind: 'busy', claimedAt: at('13:00:00') }),
    ],
    ['makes it busy', anIntegration(), failedSince('12:00:00', { kind: 'busy' })],
    ['creates it', undefined, anIntegration()],
    ['deletes it', failedSince('12:00:00'), undefined],
    ['changes settings', anIntegration(), anIntegration({ active: false, revision: 2 })],
    ['resends what was set aside', anIntegration({ setAside: 2 }), anIntegration({ setAside: 1 })],
  ])('no notice if it %s', (_what, before, after) => {
    expect(noticesOf(before, after)).toEqual([]);
  });
});

describe('the message of a notice', () => {
  it('is read as it was written, and has a format', () => {
    const notice = aNotice('recovered', '12:30:00', { since: at('12:00:00') });
    expect(parseNoticeMessage(noticeMessage(notice))).toEqual(notice);
    expect(JSON.parse(noticeMessage(notice))).toEqual({ format: 1, ...notice });
  });

  it.each(['', '{}', noticeMessage({ ...aNotice('failed', '12:00:00'), at: 'noon' })])(
    'is not %j',
    (text) => {
      expect(() => parseNoticeMessage(text)).toThrow(UnreadableMessage);
    },
  );
});
