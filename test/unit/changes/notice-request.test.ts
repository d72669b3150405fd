import { describe, expect, it } from 'vitest';
import {
  noticeMessage,
  noticesFor,
  parseNoticeMessage,
} from '../../../core/changes/notice-request.ts';
import { UnreadableMessage } from '../../../core/delivery/message-format.ts';
import type { Integration } from '../../../core/integration/integration.ts';
import { aNotice, at, failedSince } from '../../support/changes/notices.ts';
import { anIntegration } from '../../support/integration/integrations.ts';

const noticesOf = (before: Integration | undefined, after: Integration | undefined) =>
  noticesFor({ id: 'write-1', writtenAt: new Date(at('12:30:00')), before, after });

const FAILED = failedSince('12:00:00');
const BUSY = failedSince('12:00:00', { kind: 'busy' });

describe('a write of an integration', () => {
  it.each<[string, Integration, Integration]>([
    ['fails it', anIntegration(), FAILED],
    ['ends its failure', FAILED, anIntegration({ epoch: 1 })],
    ['retries it', FAILED, failedSince('12:00:00', { claimedAt: at('14:00:01') })],
    ['sets an event aside', anIntegration(), anIntegration({ setAside: 1 })],
    ['resends one', anIntegration({ setAside: 2 }), anIntegration({ setAside: 1 })],
    ['notes a reminder', anIntegration(), anIntegration({ remindedAt: at('14:00:00') })],
    ['makes it busy', anIntegration(), BUSY],
    ['ends that', BUSY, anIntegration({ epoch: 1 })],
    ['activates it', anIntegration({ active: false }), anIntegration()],
  ])('asks for a look at it if it %s', (_what, before, after) => {
    expect(noticesOf(before, after)).toEqual([aNotice()]);
  });

  it.each<[string, Integration | undefined, Integration | undefined]>([
    ['notes an attempt', FAILED, failedSince('12:00:00', { statusCode: 503 })],
    [
      'retries a busy one',
      BUSY,
      { ...BUSY, trouble: { ...BUSY.trouble, claimedAt: at('13:00:00') } } as Integration,
    ],
    ['creates it', undefined, anIntegration()],
    ['deletes it', FAILED, undefined],
    ['changes its description', anIntegration(), anIntegration({ description: 'Orders' })],
  ])('asks for none if it %s', (_what, before, after) => {
    expect(noticesOf(before, after)).toEqual([]);
  });
});

describe('the message of a notice', () => {
  it('is read as it was written, and has a format', () => {
    expect(parseNoticeMessage(noticeMessage(aNotice()))).toEqual(aNotice());
    expect(JSON.parse(noticeMessage(aNotice()))).toEqual({ format: 1, ...aNotice() });
  });

  it.each(['', '{}', noticeMessage({ ...aNotice(), account: '' })])('is not %j', (text) => {
    expect(() => parseNoticeMessage(text)).toThrow(UnreadableMessage);
  });
});
