import { describe, expect, it } from 'vitest';
import { deflated, inflated } from '../../../adapters/dynamodb/table/stored-deliveries.ts';
import { largestBody } from '../../support/event/body-sizes.ts';

const typical = JSON.stringify({
  '@context': '/contexts/WebhookDelivery.jsonld',
  '@type': 'WebhookDelivery',
  data: { message: { id: 'msg_1', body: 'Hello 👋 '.repeat(60), direction: 'in' } },
});

describe('a compressed body', () => {
  it.each([
    ['nothing', ''],
    ['one character', '{'],
    ['a typical body', typical],
    ['a body that shrinks to a thousandth', ' '.repeat(300_000)],
    ['a body that hardly shrinks', largestBody()],
    ['characters of four bytes', '👋'.repeat(20_000)],
  ])('is the body again: %s', (_, body) => {
    expect(inflated(deflated(body))).toBe(body);
  });

  it('is refused with a dictionary that is not known', () => {
    const bytes = Uint8Array.from(deflated('{}'));
    bytes[0] = 9;

    expect(() => inflated(bytes)).toThrow('the unknown dictionary 9');
  });

  // By default zlib would take 16 KiB for each: 64 MiB here, of which V8 may or may not free some.
  it('takes little memory until V8 looks through the whole heap', () => {
    const before = process.memoryUsage().arrayBuffers;
    for (let count = 0; count < 2_000; count += 1) inflated(deflated(typical + count));

    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 1024 * 1024);
  });
});
