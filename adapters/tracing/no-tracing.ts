import type { WebhookEndpoint } from '../../core/delivery/sending/make-attempt.ts';

/**
 * What `#tracing` is in the functions of a stage without tracing: nothing. In the functions of a
 * stage with tracing it is `x-ray-tracing.ts`: bundles choose by a condition of `package.json`.
 *
 * esbuild leaves out the calls of functions that return what they are given, if they are declared as
 * functions: nothing of this file is in a bundle.
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
