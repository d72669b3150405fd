import { parseExactJson } from '../../event/exact-json.ts';

/** Longer ids are not searched for. */
export const MAX_SUBJECT_LENGTH = 128;

interface ParsedBody {
  readonly data?: Readonly<Record<string, { readonly id?: unknown } | null | undefined>> | null;
}

/**
 * The subject of a delivery: the id of the message, contact or call that its event is about. Its
 * type begins with the name of the member of `data`: `phoneCall` for `phone_call.completed`.
 * A number is found by its digits, as the body has them. Undefined if the body has none that has 1 to
 * 128 characters.
 */
export const subjectIn = (body: string, type: string): string | undefined => {
  const [name = ''] = type.split('.');
  const member = name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  const idIn = (document: ParsedBody | null) => document?.data?.[member]?.id;
  const id = idIn(parsed(body, JSON.parse));
  // Parsing without loss takes longer, and few ids are numbers.
  const text = typeof id === 'number' ? JSON.stringify(idIn(parsed(body, parseExactJson))) : id;
  const isSubject = typeof text === 'string' && text !== '' && text.length <= MAX_SUBJECT_LENGTH;
  return isSubject ? text : undefined;
};

const parsed = (body: string, parse: (text: string) => unknown): ParsedBody | null => {
  try {
    return parse(body) as ParsedBody | null;
  } catch {
    return null;
  }
};
