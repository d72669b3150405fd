import type { Precondition } from '../../../core/integration/integration.ts';
import { entityTag } from '../../../core/integration/integration-resource.ts';
import { Refusal } from '../../../core/refusal.ts';

/** A comma may be in an entity tag, so a list is not split at its commas. */
const ENTITY_TAGS = /(?:W\/)?"[^"]*"/g;

/**
 * The precondition of an If-Match header (RFC 9110, 13.1.1): one of the header's tags must be the
 * stored integration's tag. The comparison is strong, so a weak tag never matches. `*` matches
 * every integration; a text that is no entity tag matches none.
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
