import { describe, expect, it } from 'vitest';
import { noticeMessage } from '../../../../core/changes/notice-request.ts';
import type { SendNotice } from '../../../../core/changes/send-notice.ts';
import { createHandler } from '../../../../lambdas/consumers/send-notices/handler.ts';
import { aNotice, at } from '../../../support/changes/notices.ts';
import { InMemoryDeadLetters } from '../../../support/delivery/in-memory-dead-letters.ts';
import {
  ALL_DONE,
  aBatch,
  aRecord,
  kept,
  queueDeps,
} from '../../../support/lambdas/queue-functions.ts';

const REQUEST = aBatch(aRecord('m1', noticeMessage(aNotice())));
const FIELDS = { account: 'acme', integration: '0123456789Ab' };
const about = 'failed';

const sending = (sendNotice: SendNotice) => {
  const deps = { ...queueDeps(), deadLetters: new InMemoryDeadLetters(), sendNotice };
  return { handler: createHandler(deps), ...deps };
};

describe('The function that sends e-mails', () => {
  it('logs how many mails a request caused', async () => {
    const { handler, logger, metrics } = sending(async () => ({
      kind: 'sent',
      about,
      mails: 2,
      refused: [],
    }));
    expect(await handler(REQUEST)).toEqual(ALL_DONE);
    expect(logger.lines).toEqual([
      { level: 'info', name: 'notice.sent', fields: { ...FIELDS, about, mails: 2 } },
    ]);
    expect(metrics.flushed).toEqual({});
  });

  it('logs and counts refused mails by their users', async () => {
    const refused = [{ user: 'u_ada', code: 'MessageRejected' }];
    const { handler, logger, metrics } = sending(async () => ({
      kind: 'sent',
      about,
      mails: 0,
      refused,
    }));
    expect(await handler(REQUEST)).toEqual(ALL_DONE);
    expect(logger.lines).toEqual([
      { level: 'warn', name: 'notice.not_sent', fields: { ...FIELDS, about, refused } },
    ]);
    expect(metrics.flushed).toEqual({ NoticesNotSent: 1 });
  });

  it('logs why a request needs no mail', async () => {
    const { handler, logger } = sending(async () => ({ kind: 'dropped', because: 'no-address' }));
    expect(await handler(REQUEST)).toEqual(ALL_DONE);
    expect(logger.named('notice.dropped')).toEqual([{ ...FIELDS, because: 'no-address' }]);
  });

  it('keeps a request that waits in the queue until it is due', async () => {
    const until = new Date(at('12:40:00'));
    const { handler, visibility, logger } = sending(async () => ({ kind: 'waits', until }));
    expect(await handler(REQUEST)).toEqual(kept('m1'));
    expect(visibility.delaysMs).toEqual({ 'receipt of m1': 40 * 60_000 });
    expect(logger.lines).toEqual([]);
  });

  it('keeps a request whose mail SES may take later', async () => {
    const { handler, visibility, metrics } = sending(() => Promise.reject(new Error('throttled')));
    expect(await handler(REQUEST)).toEqual(kept('m1'));
    expect(visibility.delaysMs).toEqual({ 'receipt of m1': 5_000 });
    expect(metrics.flushed).toEqual({ RecordsFailed: 1 });
  });

  it('makes a request that it cannot read a dead letter', async () => {
    const { handler, deadLetters, logger } = sending(() => Promise.reject(new Error('not called')));
    expect(await handler(aBatch(aRecord('m1', 'not JSON')))).toEqual(ALL_DONE);
    const reason = 'the message is not JSON';
    expect(deadLetters.letters).toEqual([{ text: 'not JSON', attributes: {}, reason }]);
    expect(logger.named('notice.unreadable')).toEqual([{ messageId: 'm1', reason }]);
  });
});
