/** The purposes of the key of the secrets. A role is granted the purposes that it needs. */
export type Purpose = 'key-pair' | 'idempotency';

/** A text that was encrypted for another stage or another purpose cannot be decrypted. */
export const encryptionContext = (
  stage: string,
  purpose: Purpose,
): Readonly<Record<'service' | 'stage' | 'purpose', string>> => ({
  service: 'integrations',
  stage,
  purpose,
});
