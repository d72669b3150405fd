/** Longer ids are not searched for. */
export const LONGEST_ID = 128;

/** An id to search for, from the id itself or from the `webhook-id` of a delivery. */
export const searchedIdIn = (text: unknown): string | undefined => {
  if (typeof text !== 'string') return undefined;
  const id = text.trim().replace(/^.*\/deliveries\//, '');
  return id.length > 0 && id.length <= LONGEST_ID ? id : undefined;
};

/** The search parameter of a page that searches. */
export const readSearchedId = ({ about }: Readonly<Record<string, unknown>>) => {
  const id = searchedIdIn(about);
  return { ...(id !== undefined && { about: id }) };
};
