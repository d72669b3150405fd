import * as cursors from '../../json-ld/collection.ts';
import type { Cursor } from '../delivery-log.ts';

/** The sort key of deliveries: an instant as `toISOString` writes it, `#` and the event's id. */
const POSITION = /^(?:\d{4}|[+-]\d{6})-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z#[A-Za-z0-9_-]{1,64}$/;

/** The cursor of a page that ended at the position `<occurredAt>#<event id>`. */
export const cursorAt = (position: string): Cursor => cursors.cursorAt(position);

/** The position of a cursor. Throws a `validation` refusal for what is not a cursor. */
export const positionOf = (cursor: Cursor): string => cursors.positionOf(cursor, POSITION);
