import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../../../lambdas/api/openapi/routes.ts';
import { CONTEXT_DOCUMENTS } from '../../../../lambdas/api/reference/get-context/context-documents.ts';
import { expandsWithoutLoss } from '../../../support/lambdas/json-ld.ts';
import { openApiDocument } from '../../../support/lambdas/openapi.ts';

interface Schema {
  readonly $ref?: string;
  readonly const?: unknown;
  readonly properties?: Record<string, Schema>;
  readonly items?: Schema;
  readonly anyOf?: Schema[];
}

const schemas = openApiDocument().components.schemas as Record<string, Schema>;

const contextOf = ({ properties }: Schema): string | undefined =>
  properties?.['@context']?.const?.toString().replace('/contexts/', '');

const isFreeForm = (context: string, name: string): boolean => {
  const term = CONTEXT_DOCUMENTS.get(context)?.['@context'][name];
  return typeof term === 'object' && term['@type'] === '@json';
};

/** Names of members anywhere in a document, but in those that have a context of their own. */
const memberNames = (schema: Schema, context: string): string[] => {
  const { $ref, properties = {}, items, anyOf = [] } = schema;
  const target = $ref === undefined ? undefined : schemas[$ref.split('/').at(-1) ?? ''];
  const parts = [...anyOf, ...(items ? [items] : [])];
  if (target && contextOf(target) === undefined) parts.push(target);
  return [
    ...Object.entries(properties).flatMap(([name, property]) =>
      isFreeForm(context, name) ? [name] : [name, ...memberNames(property, context)],
    ),
    ...parts.flatMap((part) => memberNames(part, context)),
  ];
};

const documents = Object.entries(schemas).flatMap(([name, schema]) => {
  const context = contextOf(schema);
  return context === undefined ? [] : [{ name, context, schema }];
});

const examples = ROUTES.flatMap(({ operationId, answers }) =>
  answers.flatMap(({ examples: ofAnswer = {} }) =>
    Object.entries(ofAnswer)
      .map(([name, { value }]) => ({ title: `${operationId}, ${name}`, value: value as object }))
      .filter(({ value }) => '@type' in value),
  ),
);

describe('a document of the API', () => {
  it.each(examples)('is expanded without loss of a member: $title', async ({ value }) => {
    await expandsWithoutLoss({ ...value });
  });

  it.each(documents)('of the schema $name has a term for every member it can have', (given) => {
    const { '@version': _, ...terms } = CONTEXT_DOCUMENTS.get(given.context)?.['@context'] ?? {};
    const names = memberNames(given.schema, given.context).filter((name) => !name.startsWith('@'));
    expect(names.length).toBeGreaterThan(1);
    expect(names.filter((name) => !(name in terms))).toEqual([]);
  });

  /** Types of what is only in other documents, which have a context for all of it. */
  const parts = [
    { part: 'Attempt.jsonld', whole: 'Delivery.jsonld' },
    { part: 'PartialCollectionView.jsonld', whole: 'Collection.jsonld' },
  ];

  it.each(parts)('has the terms that its part has by itself: $part', ({ part, whole }) => {
    const termsOf = (document: string) => CONTEXT_DOCUMENTS.get(document)?.['@context'];
    expect(Object.keys(termsOf(part) ?? {}).length).toBeGreaterThan(3);
    expect(termsOf(whole)).toMatchObject(termsOf(part) ?? {});
  });

  it('of every type with a context is looked at here', () => {
    const seen = [...documents.map(({ context }) => context), ...parts.map(({ part }) => part)];
    expect(new Set(seen)).toEqual(new Set(CONTEXT_DOCUMENTS.keys()));
  });
});
