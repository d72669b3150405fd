import type { PostResult } from '../../../core/delivery/attempt.ts';
import type {
  WebhookEndpoint,
  WebhookRequest,
} from '../../../core/delivery/sending/make-attempt.ts';

/** Answers by the script, and keeps what it was sent. */
export class ScriptedWebhookEndpoint implements WebhookEndpoint {
  readonly requests: WebhookRequest[] = [];
  readonly #script: (request: WebhookRequest) => PostResult | Promise<PostResult>;

  constructor(
    script: (request: WebhookRequest) => PostResult | Promise<PostResult> = () => answered(200),
  ) {
    this.#script = script;
  }

  async post(request: WebhookRequest): Promise<PostResult> {
    this.requests.push(request);
    return this.#script(request);
  }
}

export const answered = (statusCode: number, responseStart = ''): PostResult => ({
  kind: 'answered',
  statusCode,
  responseStart,
});

export const redirecting = (location: string, responseStart = ''): PostResult => ({
  kind: 'answered',
  statusCode: 308,
  responseStart,
  location,
});
