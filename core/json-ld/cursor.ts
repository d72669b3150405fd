import { Refusal } from '../refusal.ts';

/** A request for a page of a collection. `cursor`: the `next` of the page before. */
export interface PageRequest {
  limit: number;
  cursor?: string | undefined;
}

/** The cursor of a page that ended at a position: a name, or the key that the order is by. */
export const cursorAt = (position: string): string => Buffer.from(position).toString('base64url');

/** Throws a `validation` refusal for a cursor whose position does not have the pattern. */
export const positionIn = (cursor: string, pattern: RegExp): string => {
  const position = Buffer.from(cursor, 'base64url').toString();
  if (pattern.test(position) && cursorAt(position) === cursor) return position;
  throw new Refusal('validation', 'A query parameter of the request is not valid.', [
    { parameter: 'cursor', detail: 'is not a cursor of this collection: take it from view.next' },
  ]);
};
