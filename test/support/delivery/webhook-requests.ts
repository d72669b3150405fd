import type { WebhookRequest } from '../../../core/delivery/sending/make-attempt.ts';

export const aWebhookRequest = (overrides: Partial<WebhookRequest> = {}): WebhookRequest => ({
  url: 'https://127.0.0.1/',
  headers: { 'Content-Type': 'application/json' },
  body: '{"data":{"body":"Grüße 👋"}}',
  ...overrides,
});
