import { isUtf8 } from 'node:buffer';
import { pointerTo } from '../json-ld/request-document.ts';
import { MOST_NAMED, Refusal } from '../refusal.ts';
import { isNestedTooDeeply, MAX_NESTING } from './json-nesting.ts';
import { repeatedMember } from './repeated-member.ts';

/** Decoders put U+FFFD in the place of bytes that they cannot read: the text is lost. */
export const isWhole = (text: string): boolean => text.isWellFormed() && !text.includes('\uFFFD');

export const NOT_WHOLE =
  'has characters that were damaged on their way (U+FFFD, or half of a surrogate pair): send UTF-8';

/** Throws `malformed-json` for bytes that are not UTF-8. */
export const requireUtf8 = (bytes: Buffer): void => {
  if (!isUtf8(bytes)) throw new Refusal('malformed-json', 'The request body is not UTF-8.');
};

/** Before it is parsed: what looks at its members calls itself at each level. */
export const requireFewLevels = (json: string): void => {
  if (!isNestedTooDeeply(json)) return;
  const fault = { pointer: '', detail: `must not be nested more than ${MAX_NESTING} levels deep` };
  throw new Refusal('validation', 'The request body is not valid.', [fault]);
};

/** Of two members of one name, the parser would keep the last. */
export const requireDistinctNames = (json: string): void => {
  const repeated = repeatedMember(json);
  if (repeated === undefined) return;
  const fault = { pointer: pointerTo(repeated.path), detail: 'must not be there twice' };
  throw new Refusal('validation', 'The request body is not valid.', [fault]);
};

/** Throws a `validation` refusal that names members whose name or text was damaged. */
export const requireWholeTexts = (document: unknown): void => {
  const faults = damagedMembers(document, [])
    .take(MOST_NAMED + 1)
    .map((path) => ({ pointer: pointerTo(path), detail: NOT_WHOLE }))
    .toArray();
  if (faults.length > 0) {
    throw new Refusal('validation', 'The text of the request body is damaged.', faults);
  }
};

function* damagedMembers(
  value: unknown,
  path: readonly PropertyKey[],
): Generator<readonly PropertyKey[]> {
  if (typeof value === 'string' && !isWhole(value)) yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (isWhole(name)) yield* damagedMembers(member, [...path, name]);
    else yield [...path, name];
  }
}
