import { expect } from 'vitest';

interface Matcher {
  asymmetricMatch(piece: unknown): boolean;
}

/**
 * A matcher for output as a document shows it: `…` stands for any text, and the document may leave out
 * members of a JSON object.
 */
export const asShown = (line: string): Matcher =>
  /^[[{]/.test(line) ? matcherOf(JSON.parse(line)) : textMatcher(line);

const matcherOf = (value: unknown): Matcher => {
  if (typeof value === 'string') return textMatcher(value);
  if (Array.isArray(value)) return expect.toSatisfy((piece) => isArrayOf(piece, value));
  if (typeof value !== 'object' || value === null) return expect.toSatisfy((it) => it === value);
  const members = Object.entries(value).map(([name, member]) => [name, matcherOf(member)]);
  return expect.objectContaining(Object.fromEntries(members));
};

const isArrayOf = (piece: unknown, values: readonly unknown[]): boolean =>
  Array.isArray(piece) &&
  piece.length === values.length &&
  values.every((value, at) => matcherOf(value).asymmetricMatch(piece[at]));

const textMatcher = (text: string): Matcher => {
  const parts = text.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return expect.stringMatching(new RegExp(`^${parts.join('.*')}$`, 's'));
};

/** Splits output into pieces: each is a JSON document of one or more lines, or a line of text. */
export const piecesOf = (output: string): readonly unknown[] => {
  const pieces: unknown[] = [];
  let begun = '';
  for (const line of output.split('\n')) {
    if (begun === '' && !/^[[{]/.test(line)) {
      if (line !== '') pieces.push(line);
      continue;
    }
    begun += `${line}\n`;
    const document = parse(begun);
    if (document === undefined) continue;
    pieces.push(document);
    begun = '';
  }
  if (begun !== '') throw new Error(`No JSON: ${begun}`);
  return pieces;
};

const parse = (text: string): object | undefined => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Expects the pieces in this order; there may be others between them. */
export const expectInOrder = (pieces: readonly unknown[], expected: readonly Matcher[]): void => {
  let rest = pieces;
  for (const matcher of expected) {
    expect(rest).toContainEqual(matcher);
    rest = rest.slice(rest.findIndex((piece) => matcher.asymmetricMatch(piece)) + 1);
  }
};
