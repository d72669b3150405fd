import type { WebhookEndpoint } from '../../core/delivery/sending/make-attempt.ts';

/**
 * `#tracing` in stages without tracing; bundles choose by a condition of `package.json`. esbuild
 * leaves out calls of declared functions that return their argument, so nothing of this file is in
 * a bundle.
 */

export function tracedHandler<Handler>(handler: Handler): Handler {
  return handler;
}

export function tracedClient<Client>(client: Client): Client {
  return client;
}

export function tracedEndpoint(endpoint: WebhookEndpoint): WebhookEndpoint {
  return endpoint;
}
