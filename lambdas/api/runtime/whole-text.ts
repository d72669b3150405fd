import { isUtf8 } from 'node:buffer';
import { pointerTo } from '../../../core/json-ld/request-document.ts';
import { Refusal } from '../../../core/refusal.ts';
import { MOST_NAMED } from './problem-json.ts';

/** Decoders put U+FFFD in the place of bytes that they cannot read: the text is lost. */
export const isWhole = (text: string): boolean => text.isWellFormed() && !text.includes('\uFFFD');

export const NOT_WHOLE =
  'has characters that were damaged on their way (U+FFFD, or half of a surrogate pair): send UTF-8';

/** Throws `malformed-json` for bytes that are not UTF-8. */
export const requireUtf8 = (bytes: Buffer): void => {
  if (!isUtf8(bytes)) throw new Refusal('malformed-json', 'The request body is not UTF-8.');
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
