import jsonld from 'jsonld';
import { expect } from 'vitest';
import { CONTEXT_DOCUMENTS } from '../../../lambdas/api/reference/context-documents.ts';

type JsonObject = Record<string, unknown>;

const BASE = 'https://api.example.com';

/** The context at a path such as `/contexts/Delivery.jsonld`. */
type LoadContext = (path: string) => Promise<object>;

const ourContext: LoadContext = async (path) => {
  const document = CONTEXT_DOCUMENTS.get(path.replace('/contexts/', ''));
  if (document === undefined) throw new Error(`There is no context at ${path}.`);
  return document;
};

/**
 * Expects that a JSON-LD processor reads every member of a document: what it expands it to is, when
 * compacted again, the document. `loadContext` reads contexts elsewhere than in the code.
 */
export const expandsWithoutLoss = async (
  document: JsonObject,
  loadContext = ourContext,
): Promise<void> => {
  const options = { base: `${BASE}/`, documentLoader: loaderOf(loadContext) };
  const expanded = await jsonld.expand(document, options);
  const { '@context': _, ...compacted } = await jsonld.compact(expanded, contextOf(document), {
    ...options,
    compactToRelative: false,
  });
  expect(withPaths(compacted)).toEqual(withoutContexts(document));
};

const loaderOf = (loadContext: LoadContext) => async (url: string) => ({
  documentUrl: url,
  document: (await loadContext(url.replace(BASE, ''))) as jsonld.NodeObject,
});

const membersOf = ({ member = [] }: JsonObject) => member as JsonObject[];

/** A collection's own, and those of its members, which it does not know of. */
const contextOf = (document: JsonObject) =>
  ({
    '@context': [...new Set([document, ...membersOf(document)].map((part) => part['@context']))],
  }) as jsonld.ContextDefinition;

const withoutContexts = ({ '@context': _, ...rest }: JsonObject): JsonObject =>
  rest['@type'] === 'Collection' ? { ...rest, member: membersOf(rest).map(withoutContexts) } : rest;

/** Ids as we write them: compaction would make them relative to a document, not to the API. */
const withPaths = (value: unknown): unknown => {
  if (typeof value === 'string')
    return value.startsWith(`${BASE}/`) ? value.slice(BASE.length) : value;
  if (Array.isArray(value)) return value.map(withPaths);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withPaths(member)]));
};
