import { type ParseError, parse } from 'jsonc-parser';
import { isNestedTooDeeply, MAX_NESTING, repeatedMember } from '../api/resources.ts';

const QUOTES = /^['“”„‟‘’‚«»]/;
/** What texts that are copied from pages have, and no eye sees. */
const NO_SPACE_OF_JSON = /^[\s\p{Cf}]/u;

/** What keeps a text from being read as JSON without loss, and where, such as after "It". */
export const jsonFault = (text: string): string | undefined => {
  if (isNestedTooDeeply(text)) return `is nested more than ${MAX_NESTING} levels deep`;
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true });
  const [first] = errors;
  if (first !== undefined) return `is not JSON: ${syntaxFault(text, first.offset)}`;
  const repeated = repeatedMember(text);
  const name = JSON.stringify(repeated?.path.at(-1));
  return repeated && `has ${name} twice: the second is at ${placeOf(text, repeated.offset)}`;
};

const syntaxFault = (text: string, offset: number): string => {
  const before = text.slice(0, offset).trimEnd();
  const rest = text.slice(offset).replace(/^[ \t\r\n]+/, '');
  const place = placeOf(text, offset);
  const [quote] = QUOTES.exec(rest) ?? [];
  if (quote !== undefined) return `${place} has ${quote} instead of a straight "`;
  if (NO_SPACE_OF_JSON.test(rest)) return `${place} has white space that JSON does not know`;
  if (rest === '') return 'it ends too early';
  if (before.endsWith(',') && /^[}\]]/.test(rest))
    return `${placeOf(text, before.length - 1)} has a comma after the last value`;
  return `${place} has something unexpected`;
};

const placeOf = (text: string, offset: number): string => {
  const lines = text.slice(0, offset).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
};
