import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDelivery } from '../../../core/delivery/route-event.ts';
import { parseEvent, UnroutableEvent } from '../../../core/event/event.ts';
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

  it.each(['a', 'evt_01JD', 'A-Z_0-9', 'x'.repeat(64)])('may have the id %s', (id) => {
    expect(parseEvent(eventText({ id })).id).toBe(id);
  });

  it.each(['2026-11-20T12:00:00Z', '2026-11-20T12:00:00.123456Z', '2026-11-20T13:00:00+01:00'])(
    'keeps the instant %s as it was written',
    (occurredAt) => {
      expect(parseEvent(eventText({ occurredAt })).occurredAt).toBe(occurredAt);
    },
  );

  it.each([
    ['2026-11-20t12:00:00.5z', '2026-11-20T12:00:00.5Z'],
    ['2016-12-31T23:59:60Z', '2016-12-31T23:59:59.999Z'],
    ['2017-01-01t05:29:60.75+05:30', '2017-01-01T05:29:59.999+05:30'],
  ])('may have occurred at %s, which is written %s', (occurredAt, written) => {
    const event = parseEvent(eventText({ occurredAt }));
    expect(event.occurredAt).toBe(written);
    expect(new Date(event.occurredAt).getTime()).not.toBeNaN();
  });

  it.each([
    '2026-11-20T12:00:61Z',
    '2026-11-20T12:60:00Z',
    '2026-11-20T12:60Z',
    '2026-11-20T12:00Z',
    '2026-11-20',
  ])('may not have occurred at %s', (occurredAt) => {
    expect(() => parseEvent(eventText({ occurredAt }))).toThrow('an RFC 3339 instant');
  });

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

  it.each([
    [
      'SNS',
      { Type: 'Notification', TopicArn: 'arn:aws:sns:x', Message: eventText() },
      'raw message',
    ],
    ['EventBridge', { 'detail-type': 'event', detail: {}, id: 'a', account: '1' }, '$.detail'],
  ])('is in an envelope of %s, which the sender can leave out', (_, envelope, remedy) => {
    expect(reasonOf(JSON.stringify(envelope))).toContain(remedy);
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

const textWithData = (data: string): string =>
  eventText({ data: {} }).replace('"data":{}', () => `"data":${data}`);

/** The JSON text of `data` as an endpoint gets it. */
const deliveredData = (data: string): string => {
  const { body } = createDelivery(parseEvent(textWithData(data)), '0123456789Ab');
  return body.slice(body.indexOf('"data":') + '"data":'.length, -1);
};

describe('the data of an event', () => {
  it.each([
    ['its numbers', '{"id":12345678901234567890}'],
    ['its numbers', '{"price":1.10}'],
    ['its numbers', '{"n":-0}'],
    ['its numbers', '{"n":1e400}'],
    ['its numbers', '{"n":-1E+2}'],
    ['its numbers', '{"n":0.1000000000000000055511151231257827}'],
    ['its numbers', '{"list":[1.0,[2.50,{"n":3.000}]]}'],
    ['its numbers', '{"n":9007199254740993}'],
    ['the order of its members', '{"z":1,"a":2,"m":{"y":1,"b":2}}'],
    ['members of any name', '{"__proto__":{"admin":true},"a":1}'],
    ...Object.getOwnPropertyNames(Object.prototype).map((name) => [
      `a member named ${name}`,
      `{"${name}":{"${name}":{"name":"Object"}},"a":"${name}"}`,
    ]),
    ['members of any name', '{"constructor":{"prototype":{}}}'],
    ['members of any name', '{"":1}'],
    ['text that looks like half a surrogate pair', '{"\\\\ud83d":"\\\\\\\\ud83d","n":1.10}'],
    ['null and what is empty', '{"a":null,"b":"","c":{},"d":[],"e":[null,false]}'],
  ])('keeps %s: %s', (_what, data) => {
    expect(deliveredData(data)).toBe(data);
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
  });

  it.each([
    ['{"text":"\\ud83d"}', '{"text":"\uFFFD"}'],
    ['{"text":"a\\uDE00\\ud83d\\ude00\\\\\\ud83d"}', '{"text":"a\uFFFD😀\\\\\uFFFD"}'],
    [
      '{"a":[{"\\ud83d":{"n":1.10,"id":12345678901234567890}}]}',
      '{"a":[{"\uFFFD":{"n":1.10,"id":12345678901234567890}}]}',
    ],
    ['{"\\ud83d":1,"\\ud83e":2.50}', '{"\uFFFD":2.50}'],
  ])('has U+FFFD for half a surrogate pair: %s', (data, delivered) => {
    expect(deliveredData(data)).toBe(delivered);
  });

  it('has the last of duplicate members, as JSON parsers read them', () => {
    expect(deliveredData('{"a":1,"a":2.50}')).toBe('{"a":2.50}');
  });

  it('keeps text in every script, line separators and the null character', () => {
    const data = { text: 'Grüße 👋 שלום \u2028\u2029\u0000\u007f\uFEFF' };
    expect(JSON.parse(deliveredData(JSON.stringify(data)))).toEqual(data);
  });

  it('carries no character that SQS refuses', () => {
    const body = deliveredData(JSON.stringify({ '\uFFFE': '\uFFFF\u0000\u001f' }));
    expect(body).toBe('{"\\ufffe":"\\uffff\\u0000\\u001f"}');
  });

  it('means the same to the endpoint as to the platform', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), (data) => {
        const text = JSON.stringify(data);
        expect(JSON.parse(deliveredData(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('may have 62 levels inside it, whatever brackets are in its texts', () => {
    const list = `${'[{"a":'.repeat(31)}"\\"${'['.repeat(100)}\\\\"${'}]'.repeat(31)}`;
    const data = `{"a":${list},"b":${list}}`;
    expect(deliveredData(data)).toBe(data);
  });

  it.each([63, 1_000, 10_000, 100_000])('may not have %i levels inside it', (levels) => {
    const data = `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    expect(() => deliveredData(data)).toThrow(
      new UnroutableEvent('nested more than 64 levels deep'),
    );
  });
});

describe('the body of a delivery', () => {
  it('is the contract’s, member for member', () => {
    const event = anEvent({ type: 'contact.opted_out', data: { contact: { id: 'con_1' } } });
    expect(createDelivery(event, '0123456789Ab').body).toBe(
      '{"@context":"/contexts/WebhookDelivery.jsonld","@type":"WebhookDelivery",' +
        '"id":"/integrations/0123456789Ab/deliveries/evt_01JD",' +
        '"webHook":"/integrations/0123456789Ab","action":"contact.opted_out",' +
        '"timestamp":"2026-11-20T12:00:00.000Z","data":{"contact":{"id":"con_1"}}}',
    );
  });

  it('has the instant as the platform wrote it', () => {
    const { body } = createDelivery(anEvent({ occurredAt: '2026-11-20T13:00:00.1+01:00' }), 'id');
    expect(JSON.parse(body).timestamp).toBe('2026-11-20T13:00:00.1+01:00');
  });

  it('comes with the account, the integration and the event it is of', () => {
    expect(createDelivery(anEvent(), '0123456789Ab')).toMatchObject({
      account: 'acme',
      integration: '0123456789Ab',
      event: { id: 'evt_01JD', type: 'message.received' },
    });
  });

  it('differs between integrations in their ids alone', () => {
    const [one, other] = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb'].map((id) =>
      createDelivery(anEvent(), id),
    );
    expect(one?.body.replaceAll('aaaaaaaaaaaa', 'bbbbbbbbbbbb')).toBe(other?.body);
  });
});
