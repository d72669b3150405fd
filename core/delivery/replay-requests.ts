export interface ReplayRequests {
  /**
   * Has `replayPending` look after an integration's pending events, one run at a time. Durable
   * when it resolves.
   */
  request(integration: { account: string; id: string }): Promise<void>;
}
