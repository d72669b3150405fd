/** A row of a list that is newest first. */
export interface Row {
  readonly id: string;
  readonly occurredAt: string;
}

interface Page<Member extends Row> {
  readonly member: readonly Member[];
  readonly view?: { readonly next?: string | undefined } | undefined;
}

export interface LiveRows<Member extends Row> {
  readonly rows: readonly Member[];
  /** The address of the next page that is not loaded yet. */
  readonly next?: string | undefined;
}

const isOlder = (one: Row, other: Row): boolean =>
  one.occurredAt === other.occurredAt ? one.id < other.id : one.occurredAt < other.occurredAt;

/**
 * Merges a new read of the first page into the rows. The page is complete for its own time span: a
 * row of this span that is missing in the page no longer matches the filter. Older rows stay as
 * they were loaded, unless rows may be missing between them and the page.
 */
export const withFirstPage = <Member extends Row>(
  known: LiveRows<Member>,
  page: Page<Member>,
): LiveRows<Member> => {
  const fresh: LiveRows<Member> = { rows: page.member, next: page.view?.next };
  const last = page.member.at(-1);
  if (fresh.next === undefined) return fresh;
  // No row of the page matches the filter, which says nothing about older rows.
  if (last === undefined) return known.rows.length === 0 ? fresh : known;
  const ids = new Set(known.rows.map(({ id }) => id));
  if (!page.member.some(({ id }) => ids.has(id))) return fresh;
  const older = known.rows.filter((row) => isOlder(row, last));
  return older.length === 0 ? fresh : { rows: [...page.member, ...older], next: known.next };
};

/** Appends the next page to the rows. */
export const withOlderPage = <Member extends Row>(
  known: LiveRows<Member>,
  page: Page<Member>,
): LiveRows<Member> => {
  const ids = new Set(known.rows.map(({ id }) => id));
  return {
    rows: [...known.rows, ...page.member.filter(({ id }) => !ids.has(id))],
    next: page.view?.next,
  };
};
