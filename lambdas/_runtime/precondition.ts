import type { Precondition } from '../../core/integration/integration.ts';
import { entityTag } from '../../core/integration/integration-resource.ts';
import { Refusal } from '../../core/refusal.ts';

/** A comma may be in an entity tag, so a list is not split at its commas. */
const ENTITY_TAGS = /(?:W\/)?"[^"]*"/g;

/**
 * The condition of an If-Match header (RFC 9110, 13.1.1): one of its tags is that of the stored
 * integration, by strong comparison, so a weak tag never is. `*` is met by any integration, and
 * what is no entity tag by none.
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
