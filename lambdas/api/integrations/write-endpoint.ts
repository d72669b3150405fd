import type { Precondition } from '../../../core/integration/change-integration.ts';
import { entityTag, presentIntegration } from '../../../core/integration/integration-resource.ts';
import type { WriteIntegration } from '../../../core/integration/write-integration.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { Logger } from '../../runtime/reporting.ts';
import { actorOf, apiEndpoint, integrationIn } from '../runtime/api-endpoint.ts';
import type { Route } from '../runtime/route.ts';

/** The endpoint of a route that writes an integration's settings, wholly or in part. */
export const writeEndpoint = (
  route: Route & { readonly access: 'admin' },
  { write, now, logger }: { write: WriteIntegration; now: () => Date; logger: Logger },
  logName: string,
) =>
  apiEndpoint(route, logger, async (request) => {
    const { integration, ...shown } = await write({
      ...integrationIn(request),
      by: actorOf(request),
      body: request.body,
      precondition: preconditionOf(request.header('if-match')),
    });
    const { account, id } = integration;
    logger.info(logName, { account, user: request.principal.user, integration: id });
    return {
      statusCode: 200,
      document: presentIntegration(integration, now(), shown),
      headers: { ETag: entityTag(integration) },
    };
  });

/** A comma may be in an entity tag, so a list is not split at its commas. */
const ENTITY_TAGS = /(?:W\/)?"[^"]*"/g;

/**
 * The precondition of an If-Match header (RFC 9110, 13.1.1): one of the header's tags must be the
 * stored integration's tag. The comparison is strong, so a weak tag never matches. `*` matches
 * every integration; an empty list is valid and matches none, and so does a text that is no entity
 * tag. A precondition comes before the request's content is processed (13.2.1): its refusal hides the
 * faults of the body.
 */
export const preconditionOf =
  (ifMatch: string | undefined): Precondition =>
  (stored) => {
    if (ifMatch === undefined || ifMatch.trim() === '*') return;
    if (ifMatch.match(ENTITY_TAGS)?.includes(entityTag(stored))) return;
    throw new Refusal(
      'precondition-failed',
      'The integration is not as If-Match says: read it again.',
    );
  };
