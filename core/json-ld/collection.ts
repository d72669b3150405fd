import * as z from 'zod';
import { links, lists, type Terms, terms } from './vocabulary.ts';

const viewResource = z.strictObject({
  '@type': z.literal('PartialCollectionView'),
  id: z.string().meta({ description: 'This page.' }),
  next: z
    .string()
    .optional()
    .meta({ description: 'Path of the next page; absent on the last one.' }),
});

/** The schema of a collection's page. `id` is the schema's name in the OpenAPI document. */
export const collectionOf = <Member extends z.ZodType>(
  member: Member,
  { id, description }: { id: string; description: string },
) =>
  z
    .strictObject({
      '@context': z.literal('/contexts/Collection.jsonld'),
      '@type': z.literal('Collection'),
      id: z.string().meta({ description: 'The collection, with the filters of the request.' }),
      totalItems: z
        .int()
        .min(0)
        .optional()
        .meta({ description: 'The number of all members; absent if counting costs too much.' }),
      totalItemsAtLeast: z
        .int()
        .min(0)
        .optional()
        .meta({ description: 'Instead of `totalItems`, if there are more than are counted.' }),
      member: z.array(member),
      view: viewResource,
    })
    .meta({ id, description });

const viewTerms: Terms = { ...terms('PartialCollectionView'), ...links('next') };

export const collectionTerms = {
  Collection: {
    ...viewTerms,
    ...terms('Collection', 'totalItems', 'totalItemsAtLeast', 'view'),
    ...lists('member'),
  },
  PartialCollectionView: viewTerms,
} satisfies Record<string, Terms>;

interface Page<Member> {
  readonly path: string;
  /** The request's filters, `limit` and `cursor`. Undefined parameters are left out. */
  readonly query: Readonly<Record<string, string | number | undefined>>;
  readonly members: readonly Member[];
  readonly next?: string | undefined;
  readonly totalItems?: number;
  readonly totalItemsAtLeast?: number;
}

/** A collection that is complete on its first page is counted, unless `totalItems` is given. */
export const presentCollection = <Member>(page: Page<Member>) => {
  const { path, query, members, next } = page;
  const { cursor, ...filters } = query;
  const { limit: _, ...ofCollection } = filters;
  const isWhole = cursor === undefined && next === undefined;
  const totalItems = page.totalItems ?? (isWhole ? members.length : undefined);
  return {
    '@context': '/contexts/Collection.jsonld' as const,
    '@type': 'Collection' as const,
    id: withQuery(path, ofCollection),
    ...(totalItems !== undefined && { totalItems }),
    ...(page.totalItemsAtLeast !== undefined && { totalItemsAtLeast: page.totalItemsAtLeast }),
    member: [...members],
    view: {
      '@type': 'PartialCollectionView' as const,
      id: withQuery(path, query),
      ...(next !== undefined && { next: withQuery(path, { ...filters, cursor: next }) }),
    },
  };
};

const withQuery = (path: string, query: Page<never>['query']): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return text === '' ? path : `${path}?${text}`;
};
