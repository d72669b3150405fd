import { EVENT_CATALOGUE } from '../../event/event-catalogue.ts';
import type { EventType } from '../../event/event-types.ts';

/** Longer ids are not searched for. */
export const MAX_SUBJECT_LENGTH = 128;

interface ParsedBody {
  readonly data?: Readonly<Record<string, { readonly id?: unknown } | null | undefined>> | null;
}

/**
 * The subject of a delivery: the id of the message, contact or call that its event is about.
 * Undefined if the body has none that is a text of 1 to 128 characters.
 */
export const subjectIn = (body: string, type: EventType): string | undefined => {
  const id = parsed(body)?.data?.[EVENT_CATALOGUE[type].subject]?.id;
  const isSubject = typeof id === 'string' && id.length > 0 && id.length <= MAX_SUBJECT_LENGTH;
  return isSubject ? id : undefined;
};

const parsed = (body: string): ParsedBody | null => {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
};
