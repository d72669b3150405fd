import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDelivery } from '../../../core/delivery/route-event.ts';
import { parseEvent, UnroutableEvent } from '../../../core/event/event.ts';
import { anEvent, eventText } from '../../support/event/platform-events.ts';

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
    ['members of any name', '{"constructor":{"prototype":{}}}'],
    ['members of any name', '{"":1}'],
    ['half a surrogate pair as an escape', '{"text":"\\ud83d"}'],
    ['null and what is empty', '{"a":null,"b":"","c":{},"d":[],"e":[null,false]}'],
  ])('keeps %s: %s', (_what, data) => {
    expect(deliveredData(data)).toBe(data);
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
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

  it('means the same to the endpoint as it did to the platform, whatever it is', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), (data) => {
        const text = JSON.stringify(data);
        expect(JSON.parse(deliveredData(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each([100, 1_000])('may be nested %i levels deep', (levels) => {
    const data = `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    expect(deliveredData(data)).toBe(data);
  });

  it.each([3_000, 5_000, 7_000, 10_000, 100_000])(
    'is delivered or refused as unroutable when it is nested %i levels deep',
    (levels) => {
      const data = `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
      try {
        expect(deliveredData(data)).toBe(data);
      } catch (fault) {
        expect(fault).toBeInstanceOf(UnroutableEvent);
      }
    },
  );
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
