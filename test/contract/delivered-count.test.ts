import { expect, it } from 'vitest';
import { countDelivered } from '../../core/changes/count-delivered.ts';
import { describeDeliveryLogs } from '../support/adapters/delivery-logs.ts';
import { aNotice, at } from '../support/changes/notices.ts';
import { anAttempt } from '../support/delivery/attempts.ts';
import { answered } from '../support/delivery/scripted-webhook-endpoint.ts';
import { aDelivery } from '../support/event/platform-events.ts';

const RECOVERED = aNotice('recovered', '12:10:00', {
  integration: aDelivery().integration,
  since: at('12:00:00'),
});

describeDeliveryLogs((create) => {
  it('counts the events that waited for a recovery and have been delivered', async () => {
    const { open, record, reader } = await create();
    for (const [id, occurredAt, attemptedAt, status] of [
      ['failed-it', '11:59:30', '12:10:00', 200],
      ['test_0123456789abcdefABCD', '12:05:00', '12:11:00', 200],
      ['before-the-failure', '11:59:30', '11:59:40', 200],
      ['long-before', '11:58:00', '12:11:00', 200],
      ['refused', '12:06:00', '12:11:00', 500],
      ['after-the-recovery', '12:10:30', '12:11:00', 200],
      ['a-test', '12:09:00', '12:09:00', 200],
    ] as const) {
      const event = { id, type: 'message.received', occurredAt: at(occurredAt) } as const;
      await open(aDelivery({ event }));
      const startedAt = new Date(at(attemptedAt));
      const trigger = id === 'a-test' ? 'test' : 'event';
      await record(anAttempt({ event, startedAt, trigger }, answered(status)));
    }
    expect(await countDelivered(reader, RECOVERED)).toEqual({ count: 2, isExact: true });
  });
});
