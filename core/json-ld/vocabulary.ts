/** The meaning of a document's member: a term definition of a JSON-LD 1.1 context. */
export type Term = string | Readonly<Record<'@id', string> & Partial<Record<Keyword, string>>>;
export type Terms = Readonly<Record<string, Term>>;

type Keyword = '@type' | '@container';

const VOCABULARY = 'urn:service:vocabulary:';
const DATE_TIME = 'http://www.w3.org/2001/XMLSchema#dateTime';
const ANY_URI = 'http://www.w3.org/2001/XMLSchema#anyURI';

const each = (names: readonly string[], keywords: Partial<Record<Keyword, string>>): Terms =>
  Object.fromEntries(names.map((name) => [name, { '@id': VOCABULARY + name, ...keywords }]));

/** Terms of types, nested objects, and members that are texts, numbers or booleans. */
export const terms = (...names: readonly string[]): Terms =>
  Object.fromEntries(names.map((name) => [name, VOCABULARY + name]));

export const instants = (...names: readonly string[]): Terms => each(names, { '@type': DATE_TIME });

/** Terms of members that are paths of documents of this API. */
export const links = (...names: readonly string[]): Terms => each(names, { '@type': '@id' });

/** Terms of members that are plain addresses: no processor is to rewrite or follow them. */
export const addresses = (...names: readonly string[]): Terms => each(names, { '@type': ANY_URI });

/** Terms of members that are JSON of any shape, which a processor keeps as it is. */
export const freeForm = (...names: readonly string[]): Terms => each(names, { '@type': '@json' });

/** Terms of members that are arrays, whose order counts. */
export const lists = (...names: readonly string[]): Terms => each(names, { '@container': '@list' });

/** Members named as in `given`, another type's terms. Throws for a name that it does not have. */
export const renamed = (given: Terms, names: Readonly<Record<string, string>>): Terms =>
  Object.fromEntries(
    Object.entries(names).map(([name, givenName]) => {
      const term = given[givenName];
      if (term === undefined) throw new Error(`There is no term ${givenName}.`);
      return [name, term];
    }),
  );

/** The members, of any type, whose values are paths of documents of this API. */
export const LINK_MEMBERS: ReadonlySet<string> = new Set([
  '@context',
  'id',
  'next',
  'integration',
  'webHook',
  'delivery',
  'parent',
  'account',
  'user',
  'organisation',
  'explanation',
]);

/** The members, of other types than Integration, that are JSON of any shape. */
export const FREE_FORM_MEMBERS: ReadonlySet<string> = new Set([
  'data',
  'headers',
  'sample',
  'schema',
]);
