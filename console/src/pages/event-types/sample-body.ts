import type { EventTypeEntry } from '../../api/resources.ts';

/** The body that an endpoint receives with the sample of an event type, indented for reading. */
export const sampleBody = ({ name, sample }: EventTypeEntry): string =>
  JSON.stringify(
    {
      '@context': '/contexts/WebhookDelivery.jsonld',
      '@type': 'WebhookDelivery',
      id: '/integrations/8Fq2LmZ0aBcD/deliveries/evt_01JD8Q',
      webHook: '/integrations/8Fq2LmZ0aBcD',
      action: name,
      timestamp: '2026-11-20T12:00:00.000Z',
      data: sample,
    },
    undefined,
    2,
  );
