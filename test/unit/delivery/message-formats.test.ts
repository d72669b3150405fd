import { describe, expect, it } from 'vitest';
import { deliveryMessage, parseDeliveryMessage } from '../../../core/delivery/delivery-queue.ts';
import {
  parseReplayMessage,
  replayMessage,
} from '../../../core/delivery/pending/replay-requests.ts';
import { parseScheduleInput, scheduleInput } from '../../../core/delivery/trouble/begin-trouble.ts';
import { aDelivery } from '../../support/event/platform-events.ts';
import first from '../../support/formats/1.json' with { type: 'json' };

/**
 * Messages as a version that is or was in use writes them. A file is never changed: messages of the
 * version are in queues and schedules when the next version is deployed, or after it is rolled back.
 */
describe.each([['1', first]])('messages of format %s', (_, { delivery, ...messages }) => {
  it('are read', () => {
    expect(parseDeliveryMessage(delivery)).toMatchObject({
      account: 'acme',
      integration: '0123456789Ab',
      event: {
        id: 'evt_01',
        type: 'message.received',
        occurredAt: '2026-11-20T12:00:00.000Z',
      },
      body: delivery.body,
      trigger: 'replay',
      priorAttempts: 3,
      backoff: { since: '2026-11-20T12:00:01.000Z', attempts: 2, hasSlot: true },
    });
    expect(parseReplayMessage(messages.replayRequest)).toEqual({
      account: 'acme',
      id: '0123456789Ab',
      recovery: {
        since: new Date('2026-11-20T11:00:00.000Z'),
        until: new Date('2026-11-20T12:00:00.000Z'),
        after: 'cursor',
      },
      onlyDue: true,
      rest: {
        after: '2026-11-20T11:30:00.000Z#evt_01',
        last: '2026-11-20T12:00:00.000Z#evt_02',
      },
    });
    expect(parseScheduleInput(messages.scheduleInput)).toEqual({
      account: 'acme',
      id: '0123456789Ab',
      epoch: 4,
    });
  });
});

describe('the message of a delivery that was a dead letter', () => {
  it('is read with its reason, which a move by SQS keeps', () => {
    const { body, attributes } = deliveryMessage(aDelivery());

    expect(parseDeliveryMessage({ body, attributes: { ...attributes, reason: 'late' } })).toEqual(
      parseDeliveryMessage({ body, attributes }),
    );
  });
});

describe('the messages of this version', () => {
  it('are of the latest format, which the version before reads', () => {
    const { delivery, replayRequest, scheduleInput: input } = first;

    const { body, attributes } = deliveryMessage(parseDeliveryMessage(delivery));
    expect(body).toBe(delivery.body);
    expect(attributes).toEqual(delivery.attributes);
    expect(replayMessage(parseReplayMessage(replayRequest))).toBe(replayRequest);
    expect(scheduleInput(parseScheduleInput(input))).toBe(input);
  });

  it('tell which run of a replay has not begun', () => {
    const rest = { last: '2026-11-20T12:00:00.000Z#evt_9' };
    const request = { account: 'acme', id: '0123456789Ab', onlyDue: true, rest };
    expect(parseReplayMessage(replayMessage(request))).toEqual(request);
  });
});
