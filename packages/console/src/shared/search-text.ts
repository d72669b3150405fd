/**
 * How the router reads and writes the search parameters of an address: as text. By default it takes
 * texts such as `123456`, `662E41` and `true` for other values, and ids have all of these forms.
 */
export const SEARCH_TEXT = {
  parseSearch: (search: string): Record<string, string> =>
    Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search: Readonly<Record<string, unknown>>): string => {
    const text = new URLSearchParams();
    for (const [name, value] of Object.entries(search)) {
      if (value !== undefined) text.set(name, String(value));
    }
    return text.size === 0 ? '' : `?${text}`;
  },
};
