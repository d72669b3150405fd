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
  /** Where the rows go on that are not loaded yet. */
  readonly next?: string | undefined;
}

const isOlder = (one: Row, other: Row): boolean =>
  one.occurredAt === other.occurredAt ? one.id < other.id : one.occurredAt < other.occurredAt;

/**
 * The rows after the first page was read again. The page is right about its own time span: a row
 * of this span that the page does not have has left the filter. Older rows stay as they were
 * loaded, unless rows may be missing between them and the page.
 */
export const withFirstPage = <Member extends Row>(
  known: LiveRows<Member>,
  page: Page<Member>,
): LiveRows<Member> => {
  const fresh: LiveRows<Member> = { rows: page.member, next: page.view?.next };
  const last = page.member.at(-1);
  if (fresh.next === undefined) return fresh;
  // A filter left out the whole page, which says nothing about rows that are older.
  if (last === undefined) return known.rows.length === 0 ? fresh : known;
  const ids = new Set(known.rows.map(({ id }) => id));
  if (!page.member.some(({ id }) => ids.has(id))) return fresh;
  const older = known.rows.filter((row) => isOlder(row, last));
  return older.length === 0 ? fresh : { rows: [...page.member, ...older], next: known.next };
};

/** The rows after a further page was loaded. */
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
