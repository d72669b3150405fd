import { describe, expect, it } from 'vitest';
import { countDelivered } from '../../../core/changes/count-delivered.ts';
import type { LoggedDelivery } from '../../../core/delivery/delivery-log-reader.ts';
import { aNotice, at } from '../../support/changes/notices.ts';
import { aDelivery } from '../../support/event/platform-events.ts';

/** A log that does not end, with so many events delivered at five past twelve on a page. */
const endlessLog = (ofPage: number) => {
  const delivery: LoggedDelivery = { ...aDelivery(), deliveredAt: at('12:05:00') };
  const log = {
    pages: 0,
    newest: async () => {
      log.pages += 1;
      return { deliveries: Array.from({ length: ofPage }, () => delivery), next: `${log.pages}` };
    },
  };
  return log;
};

const since = at('12:00:00');

describe('counting the delivered events for an e-mail about a recovery', () => {
  it.each([
    ['after a thousand', 100, 1_000, 11],
    ['after twenty pages', 7, 140, 20],
  ])('stops %s, and says that there may be more', async (_case, ofPage, count, pages) => {
    const log = endlessLog(ofPage);
    const counted = await countDelivered(log, aNotice('recovered', '12:10:00', { since }));
    expect([counted, log.pages]).toEqual([{ count, isExact: false }, pages]);
  });

  it.each([
    aNotice('failed', '12:00:00', { since }),
    aNotice('still-failed', '13:00:00', { since }),
    aNotice('event-set-aside', '12:00:00'),
    aNotice('recovered', '12:10:00'),
  ])('reads no log for %o', async (request) => {
    const log = endlessLog(100);
    expect(await countDelivered(log, request)).toEqual({ count: 0, isExact: true });
    expect(log.pages).toBe(0);
  });
});
