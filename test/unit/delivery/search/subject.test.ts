import { describe, expect, it } from 'vitest';
import { subjectIn } from '../../../../core/delivery/search/subject.ts';
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

  it.each([
    ['is a number', { message: { id: 7 } }],
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
