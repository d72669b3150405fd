import type { EventReference } from '../../../core/delivery/delivery.ts';
import type { Cursor } from '../../../core/delivery/delivery-log.ts';
import { positionIn } from '../../../core/delivery/delivery-log-reader.ts';
import { cursorAt } from '../../../core/json-ld/cursor.ts';

/** The sort key of deliveries. */
export const positionAt = ({ id, occurredAt }: Pick<EventReference, 'id' | 'occurredAt'>): string =>
  `${new Date(occurredAt).toISOString()}#${id}`;

/** A page of the deliveries of a fake. */
export const pageOf = <Kept extends { readonly event: EventReference }>(
  kept: readonly Kept[],
  { order, limit, after }: { order: 'oldest' | 'newest'; limit: number; after?: Cursor },
): { deliveries: Kept[]; next?: Cursor } => {
  const sign = order === 'oldest' ? 1 : -1;
  const compare = (a: string, b: string) => sign * (a < b ? -1 : Number(a > b));
  const position = after && positionIn(after);
  const rest = kept
    .filter(({ event }) => position === undefined || compare(positionAt(event), position) > 0)
    .toSorted((a, b) => compare(positionAt(a.event), positionAt(b.event)));
  const deliveries = rest.slice(0, limit);
  const last = deliveries.at(-1);
  return {
    deliveries,
    ...(last && rest.length > limit && { next: cursorAt(positionAt(last.event)) }),
  };
};
