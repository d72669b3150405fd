import * as cursors from '../json-ld/cursor.ts';
import { CHANGE_KINDS, type Change } from './change-resource.ts';

const ID = /\/chg_(\d{1,40})-/;

/**
 * The place of a change among the changes of its account: by time, then by its write's position in
 * the stream, whose numbers have 21 to 40 digits. Text that sorts in this order.
 */
export const positionOf = ({ id, at, kind }: Pick<Change, 'id' | 'at' | 'kind'>): string => {
  const position = ID.exec(id)?.[1];
  if (position === undefined) throw new Error(`${id} is no id of a change`);
  return `${at}#${position.padStart(40, '0')}#${kind}`;
};

const POSITION = new RegExp(
  String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z#\d{40}#(${CHANGE_KINDS.join('|')})$`,
);

/** The position of a cursor. Throws a `validation` refusal for what is not a cursor. */
export const positionIn = (cursor: string): string => cursors.positionIn(cursor, POSITION);
