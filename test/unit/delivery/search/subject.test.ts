import { describe, expect, it } from 'vitest';
import { createDelivery } from '../../../../core/delivery/route-event.ts';
import { subjectIn } from '../../../../core/delivery/search/subject.ts';
import { parseEvent } from '../../../../core/event/event.ts';
import { EVENT_CATALOGUE } from '../../../../core/event/event-catalogue.ts';
import { EVENT_TYPES } from '../../../../core/event/event-types.ts';

const bodyOf = (data: unknown): string => JSON.stringify({ id: 'a', data });

describe('what a delivery is about', () => {
  it.each(EVENT_TYPES)('is known of the sample of %s', (type) => {
    const expected = {
      message: /^msg_/,
      phone_call: /^call_/,
      contact: /^con_/,
    }[type.split('.')[0] as 'message' | 'phone_call' | 'contact'];

    expect(subjectIn(bodyOf(EVENT_CATALOGUE[type].sample), type)).toMatch(expected);
  });

  it.each(['7', '0', '1789123456789012345', '123456789012345678901234567890', '1.50', '2E400'])(
    'is a number as the platform wrote it: %s',
    (number) => {
      const event = `{"id":"e","type":"message.received","account":"a","occurredAt":"2026-11-20T12:00:00Z","data":{"message":{"id":${number}}}}`;
      const { body } = createDelivery(parseEvent(event), '0123456789Ab');
      expect(subjectIn(body, 'message.received')).toBe(number);
    },
  );

  it.each([
    ['is neither a text nor a number', { message: { id: true } }],
    ['is empty', { message: { id: '' } }],
    ['has more than 128 characters', { message: { id: 'x'.repeat(129) } }],
    ['is missing', { message: {} }],
    ['is of something else', { message: null, contact: { id: 'con_1' } }],
    ['is in no data', null],
  ])('is unknown if the id %s', (_case, data) => {
    expect(subjectIn(bodyOf(data), 'message.received')).toBeUndefined();
  });

  it('is unknown of a text that is not JSON', () => {
    expect(subjectIn('{', 'message.received')).toBeUndefined();
  });
});
