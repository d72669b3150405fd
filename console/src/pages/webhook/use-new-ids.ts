import { useEffect, useRef, useState } from 'react';

const SHOWN_AS_NEW_MS = 4_000;

/**
 * The ids that came since the list was first shown, for as long as a row is marked as new. The list
 * is another one where `list` is.
 */
export const useNewIds = (
  list: string,
  ids: readonly string[] | undefined,
): ReadonlySet<string> => {
  const known = useRef<{ list: string; ids: ReadonlySet<string> }>(undefined);
  const [newIds, setNewIds] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    if (ids === undefined) return;
    const before = known.current?.list === list ? known.current.ids : undefined;
    known.current = { list, ids: new Set([...(before ?? []), ...ids]) };
    const came = before === undefined ? [] : ids.slice(0, firstKnown(ids, before));
    if (came.length > 0) setNewIds(new Set(came));
  }, [list, ids]);
  useEffect(() => {
    if (newIds.size === 0) return;
    const timer = setTimeout(() => setNewIds(new Set()), SHOWN_AS_NEW_MS);
    return () => clearTimeout(timer);
  }, [newIds]);
  return newIds;
};

/** Rows below the first that was known are older: they were loaded, they did not come. */
const firstKnown = (ids: readonly string[], known: ReadonlySet<string>): number => {
  const index = ids.findIndex((id) => known.has(id));
  return index < 0 ? ids.length : index;
};
