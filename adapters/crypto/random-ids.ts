import { randomBytes, randomInt } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 12 base62 characters, 71 random bits. */
export const newIntegrationId = (): string =>
  Array.from({ length: 12 }, () => BASE62[randomInt(BASE62.length)]).join('');

/** A Standard Webhooks secret of 32 random bytes. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
