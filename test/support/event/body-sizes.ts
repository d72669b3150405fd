import { randomBytes } from 'node:crypto';
import { createDelivery, MAX_BODY_BYTES } from '../../../core/delivery/route-event.ts';
import type { PlatformEvent } from '../../../core/event/event.ts';
import { anEvent } from './platform-events.ts';

const SOME_ID = '0123456789Ab';

/** An event whose webhook body has so many bytes, for integrations with ids of 12 characters. */
export const eventWithBodyOf = (
  bytes: number,
  overrides: Partial<PlatformEvent> = {},
): PlatformEvent => {
  const withText = (text: string) => anEvent({ ...overrides, data: { text } });
  const least = Buffer.byteLength(createDelivery(withText(''), SOME_ID).body);
  return withText('x'.repeat(bytes - least));
};

const FIRST_PRINTABLE = 0x20;
const PRINTABLE = 95;

/** A text of random printable characters of ASCII: hardly any other text is compressed less. */
export const incompressible = (bytes: number): string =>
  Buffer.from(randomBytes(bytes).map((byte) => FIRST_PRINTABLE + (byte % PRINTABLE))).toString(
    'latin1',
  );

/** As a text alone: no adapter looks into a body. */
export const largestBody = (): string => incompressible(MAX_BODY_BYTES);
