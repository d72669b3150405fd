import * as z from 'zod';

/** Stands for a stored secret in every answer but the one of the call that set it. */
export const FILTERED = '[FILTERED]';

const CHARACTERS = 'must be 16 to 128 printable ASCII characters';

/** A secret that begins with `whsec_` is one of Standard Webhooks: base64 follows. */
const ownOrStandardWebhooks =
  /^(?:(?!whsec_)|whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$)/;

/** A secret that a caller sets. `[FILTERED]` is too short to be one. */
export const webhookSecret = z
  .string()
  .regex(/^[\x20-\x7E]{16,128}$/, CHARACTERS)
  .regex(ownOrStandardWebhooks, 'must be base64 after the prefix whsec_');

/** The same, where `[FILTERED]` stands for the one that is stored. */
export const webhookSecretOrFiltered = z
  .string()
  .regex(/^(?:\[FILTERED\]|[\x20-\x7E]{16,128})$/, CHARACTERS)
  .regex(ownOrStandardWebhooks, 'must be base64 after the prefix whsec_');
