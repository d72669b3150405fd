/**
 * An endpoint's address outside of its Integration: in events, changes, e-mails and tables of
 * operators. Paths and queries are left out, because they may hold secrets, such as those of
 * incoming webhooks. The integration's id beside it tells webhooks of one host apart.
 */
export const shownAddress = (baseUrl: string): string => {
  const { origin, pathname, search } = new URL(baseUrl);
  return `${origin}/${pathname + search === '/' ? '' : '…'}`;
};
