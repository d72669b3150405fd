import { randomBytes, randomInt } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const base62 = (length: number): string =>
  Array.from({ length }, () => BASE62[randomInt(BASE62.length)]).join('');

/** An integration's id: 12 base62 characters, 71 random bits. */
export const newIntegrationId = (): string => base62(12);

/** The id of a sample event that is sent as a test. The prefix is for people. */
export const newTestEventId = (): string => `test_${base62(20)}`;

/** For an event that somebody sends in the platform's place: `evt_` and 32 hexadecimal digits. */
export const newEventId = (): string => `evt_${randomBytes(16).toString('hex')}`;

/** A Standard Webhooks secret of 32 random bytes. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
