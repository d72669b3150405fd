/** Longer ids are not searched for. */
export const MAX_SUBJECT_LENGTH = 128;

interface ParsedBody {
  readonly data?: Readonly<Record<string, { readonly id?: unknown } | null | undefined>> | null;
}

/**
 * The subject of a delivery: the id of the message, contact or call that its event is about. Its
 * type begins with the name of the member of `data`: `phoneCall` for `phone_call.completed`.
 * Undefined if the body has none that is a text of 1 to 128 characters.
 */
export const subjectIn = (body: string, type: string): string | undefined => {
  const [name = ''] = type.split('.');
  const member = name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  const id = parsed(body)?.data?.[member]?.id;
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
