import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseEvent, UnroutableEvent } from '../../../core/event/event.ts';
import { EVENT_TYPES } from '../../../core/event/event-types.ts';
import { anEvent, eventText } from '../../support/event/platform-events.ts';

const reasonOf = (text: string): string => {
  try {
    parseEvent(text);
  } catch (fault) {
    if (fault instanceof UnroutableEvent) return fault.message;
    throw fault;
  }
  throw new Error('The event was routable.');
};

describe('an event', () => {
  it('is read as the platform wrote it', () => {
    expect(parseEvent(eventText())).toEqual(anEvent());
  });

  it.each(EVENT_TYPES)('may be of type %s', (type) => {
    expect(parseEvent(eventText({ type })).type).toBe(type);
  });

  it.each(['a', 'evt_01JD', 'A-Z_0-9', 'x'.repeat(64)])('may have the id %s', (id) => {
    expect(parseEvent(eventText({ id })).id).toBe(id);
  });

  it.each(['2026-11-20T12:00:00Z', '2026-11-20T12:00:00.123456Z', '2026-11-20T13:00:00+01:00'])(
    'keeps the instant %s as it was written',
    (occurredAt) => {
      expect(parseEvent(eventText({ occurredAt })).occurredAt).toBe(occurredAt);
    },
  );

  it('may have members of the platform’s own', () => {
    expect(parseEvent(eventText({ shard: 7, traceId: 'abc' }))).toEqual(anEvent());
  });

  it('may have empty data', () => {
    expect(parseEvent(eventText({ data: {} })).data).toEqual({});
  });
});

describe('an event that cannot be routed', () => {
  it.each(['', 'hello', '{', '{"id":1,}', "{'id':'x'}", '\uFEFF{}', '{}{}', 'NaN', '[1'])(
    'is %j, which is not JSON',
    (text) => {
      expect(reasonOf(text)).toBe('the message is not JSON');
    },
  );

  it.each(['null', '1', '1e400', '"text"', '[]', 'true'])('is %s, which is no object', (text) => {
    expect(reasonOf(text)).not.toBe('');
  });

  it.each(['id', 'type', 'account', 'occurredAt', 'data'])('has no %s', (member) => {
    expect(reasonOf(eventText({ [member]: undefined }))).toMatch(new RegExp(`^${member}: `));
  });

  it.each([
    ['id', ['', 'x'.repeat(65), 'a b', 'a/b', 'é', 'x\n', 7, null, {}, []]],
    ['type', ['', 'message', 'message.Received', 'message.received ', '__proto__', 7, null]],
    ['account', ['', 'x'.repeat(129), 7, null, {}]],
    [
      'occurredAt',
      ['', 'yesterday', '2026-11-20', '2026-11-20T12:00:00', '2026-02-30T12:00:00Z', 1_795_176_000],
    ],
    ['data', [null, 7, 'text', [], [{}], true]],
  ] as const)('has a wrong %s', (member, values) => {
    for (const value of values) {
      expect(reasonOf(eventText({ [member]: value })), JSON.stringify(value)).toMatch(
        new RegExp(`^${member}: `),
      );
    }
  });

  it.each(['12345678901234567890', '1.10', '1e400', '-0'])('has the number %s as its data', (n) => {
    expect(reasonOf(eventText().replace(/"data":\{.*\}/, `"data":${n}}`))).toMatch(/^data: /);
  });

  it('says everything that is wrong with it', () => {
    const reason = reasonOf(eventText({ id: undefined, type: 'no.such', data: [] }));
    expect(reason.split('; ').map((fault) => fault.split(':')[0])).toEqual(['id', 'type', 'data']);
  });

  it('is not quoted by the reason', () => {
    const secret = 'PRIVATE-4711';
    const members = ['id', 'type', 'account', 'occurredAt', 'data'];
    const wrongs = members.flatMap((member) => [
      eventText({ [member]: `${secret} `.repeat(20) }),
      eventText({ [member]: { [secret]: secret } }),
      eventText({ [member]: [secret] }),
    ]);
    const texts = [...wrongs, `{"${secret}"`, JSON.stringify({ [secret]: 1 })];
    for (const text of texts) {
      try {
        parseEvent(text);
      } catch (fault) {
        expect(String(fault)).not.toContain(secret);
      }
    }
  });

  it('is told apart from a fault of ours whatever the message is', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string({ unit: 'binary' })), (text) => {
        expect(reasonOf(text)).not.toBe('');
      }),
    );
  });
});
