import { IN_WORDS } from '../../../core/customer-limits.ts';
import type { Guide } from '../runtime/guide.ts';
import { MEDIA_TYPE } from '../runtime/request-headers.ts';

/** `base` is the path that the API is served at. */
export const llmsTxt = (base: string, guides: readonly Guide[]): string => `# Integrations API

> Sends the events of a text-messaging platform to webhooks: signed HTTPS POSTs, each at least once. Manages webhooks,
> shows every delivery, and sends again what was not delivered.

Calls carry \`Authorization: Bearer <token>\` and \`Accept: ${MEDIA_TYPE}\`. Paths in documents, such as \`id\`, \`view.next\`
and the \`type\` of a problem, are resolved against the address of the document.

What a webhook receives:

- Body: JSON with \`id\`, \`webHook\`, \`action\` (the event type), \`timestamp\` and \`data\`. Ignore members that you do not know.
- Signature: \`X-Service-Signature\` is the lower-case hexadecimal HMAC-SHA256 of the raw body, keyed by the UTF-8 bytes of
  the whole webhook secret. Compare in constant time, before you parse the body. The headers of Standard Webhooks
  (\`webhook-id\`, \`webhook-timestamp\`, \`webhook-signature\`) are also present.
- Duplicates and order: an event can arrive more than once, always with the same \`id\`, and in any order. Store the \`id\`s that
  you have processed.
- Answer: any 2xx within ${IN_WORDS.responseTimeout} confirms the event. Answer first, and work on the event afterwards.
- Retries: after 504 or no answer the event is sent again, first after ${IN_WORDS.firstDelay}, then after growing delays, for ${IN_WORDS.window}.
  Any other answer makes the integration \`failed\`: events are stored, tried every hour, and all sent after the first 2xx.
  With \`settings.onFatalError\` \`continue\` that happens only after ${IN_WORDS.failedAfter} in a row.
- Allow requests from any IP address: the addresses change.

## Reference

- [OpenAPI document](${base}/openapi.json): every call with schemas and examples, and the webhook itself
- [Event types](${base}/event-types): a JSON Schema, a version and a sample of each
- [JSON Schema of a webhook's body](${base}/event-types/message.received.json): each event type has one
- [Problems](${base}/problems): why calls are refused, and what to do
- [Results of attempts](${base}/reasons): why deliveries are not confirmed, and what to do
- [listen.mjs](${base}/listen.mjs): a program for Node that receives the events of an integration on localhost
- [receiver.mjs](${base}/guides/receivers/node/receiver.mjs): a program for Node that receives webhooks

## Guides

${guides.map(({ path, title }) => `- [${title}](${base}${path})`).join('\n')}

## Optional

- [Events of changes](${base}/change-types): for the platform, what is published about integrations
- [JSON-LD context of a delivery](${base}/contexts/WebhookDelivery.jsonld): each type has a context
- [Reference for people](${base}/docs): every call, to read and to try
`;
