import * as z from 'zod';
import type { Integration } from '../../integration/integration.ts';
import {
  integrationPath,
  integrationResource,
  statusOf,
} from '../../integration/integration-resource.ts';
import { instants, links, type Terms, terms } from '../../json-ld/vocabulary.ts';
import type { RequestedRecovery } from '../recovery/request-recovery.ts';

export const recoveryResource = z
  .strictObject({
    '@context': z.literal('/contexts/Recovery.jsonld'),
    '@type': z.literal('Recovery'),
    integration: z.string().meta({ description: 'Path of the integration.' }),
    since: z.iso.datetime().meta({
      description: 'Events that occurred then or later, and did not arrive, are sent again.',
    }),
    requestedAt: z.iso
      .datetime()
      .meta({ description: 'Events that occurred later are delivered as always.' }),
    status: integrationResource.shape.status.meta({
      description: 'Of the integration, as it is now.',
    }),
  })
  .meta({ id: 'Recovery', description: 'A recovery that was asked for and has begun.' });

export const recoveryTerms: Terms = {
  ...terms('Recovery', 'status'),
  ...links('integration'),
  ...instants('since', 'requestedAt'),
};

/** A recovery as the API shows it. `integration` is read after the request. */
export const presentRecovery = (
  { since, requestedAt }: RequestedRecovery,
  integration: Integration,
): z.output<typeof recoveryResource> => ({
  '@context': '/contexts/Recovery.jsonld',
  '@type': 'Recovery',
  integration: integrationPath(integration.id),
  since: since.toISOString(),
  requestedAt: requestedAt.toISOString(),
  status: statusOf(integration),
});
