import type { Precondition } from '../../../core/integration/change-integration.ts';
import { entityTag, presentIntegration } from '../../../core/integration/integration-resource.ts';
import type { WriteIntegration } from '../../../core/integration/write-integration.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { Logger } from '../../runtime/reporting.ts';
import { type ApiRequest, actorOf, apiEndpoint, integrationIn } from '../runtime/api-endpoint.ts';
import type { Route } from '../runtime/route.ts';

/**
 * The handler of a route that writes an integration's settings, by the use case that has the name of
 * the route's operation. Logs `logName`.
 */
export const writeHandler =
  <Operation extends string>(
    route: Route & { readonly access: 'admin'; readonly operationId: Operation },
    logName: string,
  ) =>
  (deps: Record<Operation, WriteIntegration> & { now: () => Date; logger: Logger }) =>
    apiEndpoint(route, deps.logger, async (request) => {
      const { integration, ...shown } = await deps[route.operationId]({
        ...integrationIn(request),
        by: actorOf(request),
        body: request.body,
        precondition: preconditionOf(request),
      });
      const { account, id } = integration;
      deps.logger.info(logName, { account, user: request.principal.user, integration: id });
      return {
        statusCode: 200,
        document: presentIntegration(integration, deps.now(), shown),
        headers: { ETag: entityTag(integration) },
      };
    });

/** A comma may be in an entity tag, so a list is not split at its commas. */
const ENTITY_TAGS = /(?:W\/)?"[^"]*"/g;

/**
 * The precondition of the headers If-Match and If-None-Match (RFC 9110, 13.1.1 and 13.1.2). One of the
 * tags of If-Match must be the stored integration's tag. The comparison is strong, so a weak tag never
 * matches. `*` matches every integration; an empty list is valid and matches none, and so does a text
 * that is no entity tag. If-None-Match must not match, and `*` always does: a write never creates. A
 * precondition comes before the request's content is processed (13.2.1): its refusal hides the faults
 * of the body.
 */
export const preconditionOf = ({ header }: Pick<ApiRequest, 'header'>): Precondition => {
  const [ifMatch, ifNoneMatch] = [header('if-match'), header('if-none-match')];
  return (stored) => {
    const tag = entityTag(stored);
    if (ifMatch !== undefined && !matches(ifMatch, tag)) throw precondition('If-Match');
    if (ifNoneMatch !== undefined && matches(ifNoneMatch.replaceAll('W/"', '"'), tag)) {
      throw precondition('If-None-Match');
    }
  };
};

const matches = (header: string, tag: string): boolean =>
  header.trim() === '*' || (header.match(ENTITY_TAGS)?.includes(tag) ?? false);

const precondition = (name: string): Refusal =>
  new Refusal('precondition-failed', `${name} does not match the integration. Read it again.`);
