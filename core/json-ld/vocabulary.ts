/** What a member of a document means, as JSON-LD 1.1 writes it. */
export type Term = string | Readonly<Record<'@id', string> & Partial<Record<Keyword, string>>>;
export type Terms = Readonly<Record<string, Term>>;

type Keyword = '@type' | '@container';

const VOCABULARY = 'urn:service:vocabulary:';
const DATE_TIME = 'http://www.w3.org/2001/XMLSchema#dateTime';
const ANY_URI = 'http://www.w3.org/2001/XMLSchema#anyURI';

const each = (names: readonly string[], keywords: Partial<Record<Keyword, string>>): Terms =>
  Object.fromEntries(names.map((name) => [name, { '@id': VOCABULARY + name, ...keywords }]));

/** Types, nested objects, and members that are texts, numbers or booleans. */
export const terms = (...names: readonly string[]): Terms =>
  Object.fromEntries(names.map((name) => [name, VOCABULARY + name]));

/** RFC 3339. */
export const instants = (...names: readonly string[]): Terms => each(names, { '@type': DATE_TIME });

/** Paths of documents of this API. */
export const links = (...names: readonly string[]): Terms => each(names, { '@type': '@id' });

/** Addresses that are only told: no processor is to rewrite or follow them. */
export const addresses = (...names: readonly string[]): Terms => each(names, { '@type': ANY_URI });

/** JSON of any shape, kept as it is. */
export const freeForm = (...names: readonly string[]): Terms => each(names, { '@type': '@json' });

/** Arrays, in their order. */
export const lists = (...names: readonly string[]): Terms => each(names, { '@container': '@list' });

/**
 * Members that mean what another type's members do: `names` has the name there by the name here.
 * Throws for one that is not among `given`.
 */
export const renamed = (given: Terms, names: Readonly<Record<string, string>>): Terms =>
  Object.fromEntries(
    Object.entries(names).map(([name, there]) => {
      const term = given[there];
      if (term === undefined) throw new Error(`There is no term ${there}.`);
      return [name, term];
    }),
  );
