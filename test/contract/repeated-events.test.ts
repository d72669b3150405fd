import { useTables } from 'local-aws/test/support/tables.ts';
import { describe, expect, it } from 'vitest';
import { inTable } from '../support/adapters/delivery-logs.ts';
import {
  answered,
  ScriptedWebhookEndpoint,
} from '../support/delivery/scripted-webhook-endpoint.ts';
import { aDeliverer, NOON, queued } from '../support/delivery/sending/troubled-deliverer.ts';
import { anEventReference } from '../support/event/platform-events.ts';

const tables = useTables();

const minutesPastNoon = (minutes: number): Date => new Date(NOON.getTime() + minutes * 60_000);

describe('an event that was confirmed, and is sent again with another time', () => {
  it.each(
    ['evt_1', 'evt_01M7WD7TG0ABCDEFGHJKMNPQRS'].flatMap((id) => [
      { id, answers: [409], ends: 'refused-again' },
      { id, answers: [504, 409], ends: 'dropped' },
      { id, answers: [504, 504, 409], ends: 'dropped' },
    ]),
  )('fails nothing: $id, $answers', async ({ id, answers, ends }) => {
    const { log, reader } = await inTable(tables);
    const left = [200, ...answers];
    let now = NOON;
    const endpoint = new ScriptedWebhookEndpoint(() => answered(left.shift() ?? 409));
    const { deliver, integrations, pendingEvents } = aDeliverer({
      ...{ endpoint, now: () => now, reached: { deliveryLog: log } },
    });
    const event = anEventReference(id);
    await deliver(queued(1, { event }));
    const again = { ...event, occurredAt: minutesPastNoon(90).toISOString() };
    let kind = '';
    for (const [index] of answers.entries()) {
      now = minutesPastNoon(91 + index);
      const message = { ...queued(index + 1, { event: again }), messageId: 'the repeat' };
      ({ kind } = await deliver({ ...message, firstReceivedAt: minutesPastNoon(91) }));
    }
    expect(kind).toBe(ends);
    expect(integrations.all[0]?.trouble).toBeUndefined();
    expect(pendingEvents.of(queued().delivery.integration)).toEqual([]);
    const found = await reader.find(queued().delivery.integration, id);
    expect(found).toMatchObject({ event, deliveredAt: expect.any(String) });
  });

  it('goes on with the attempts that are listed', async () => {
    const { log, reader } = await inTable(tables);
    let now = NOON;
    const endpoint = new ScriptedWebhookEndpoint(() => answered(504));
    const { deliver } = aDeliverer({
      ...{ endpoint, now: () => now, reached: { deliveryLog: log } },
    });
    const event = anEventReference('evt_1');
    await deliver(queued(1, { event }));
    const again = { ...event, occurredAt: minutesPastNoon(90).toISOString() };
    for (const receiveCount of [1, 2]) {
      now = minutesPastNoon(90 + receiveCount);
      const message = { ...queued(receiveCount, { event: again }), messageId: 'the repeat' };
      await deliver({ ...message, firstReceivedAt: minutesPastNoon(91) });
    }
    const found = await reader.find(queued().delivery.integration, 'evt_1');
    expect(found).toMatchObject({ event, latestAttempt: { number: 2, startedAt: now } });
  });
});
