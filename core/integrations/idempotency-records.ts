/** What an `Idempotency-Key` was first used for. */
export interface IdempotencyRecord {
  readonly account: string;
  readonly key: string;
  /** SHA-256 of the request's body, hexadecimal. */
  readonly bodyHash: string;
  /** The id the integration has, or will have once its writing is repeated. */
  readonly integration: string;
  readonly expiresAt: Date;
}

export interface IdempotencyRecords {
  /** Stores the record unless one for its account and key is in force; returns the one in force. */
  claim(record: IdempotencyRecord): Promise<IdempotencyRecord>;
}
