import type { PostResult } from './outcome.ts';

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface WebhookEndpoint {
  /**
   * One HTTPS POST within every limit of the delivery contract; redirects are not followed.
   * Resolves whatever the endpoint does; throws only for a fault of ours.
   */
  post(request: WebhookRequest): Promise<PostResult>;
}
