/** Which key of KMS is used, and for what: KMS decrypts under the same encryption context alone. */
export interface KeyUse {
  readonly keyArn: string;
  readonly context: Readonly<Record<string, string>>;
}
