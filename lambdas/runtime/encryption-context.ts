/** What the key of the secrets encrypts; a role is granted the purposes that it needs. */
export type Purpose = 'key-pair' | 'idempotency';

/** Of the stage: what was encrypted for another stage, or another purpose, is not decrypted. */
export const encryptionContext = (
  stage: string,
  purpose: Purpose,
): Readonly<Record<'service' | 'stage' | 'purpose', string>> => ({
  service: 'integrations',
  stage,
  purpose,
});
