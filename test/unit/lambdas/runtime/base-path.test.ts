import { describe, expect, it } from 'vitest';
import { LINK_MEMBERS } from '../../../../core/json-ld/vocabulary.ts';
import {
  openApiBelowBasePath,
  openApiTexts,
} from '../../../../lambdas/api/openapi/below-base-path.ts';
import { ROUTES } from '../../../../lambdas/api/openapi/routes.ts';
import { CONTEXT_DOCUMENTS } from '../../../../lambdas/api/reference/context-documents.ts';
import { getOpenapi } from '../../../../lambdas/api/reference/documents.ts';
import { apiEndpoint } from '../../../../lambdas/api/runtime/api-endpoint.ts';
import { belowBasePath, FREE_FORM } from '../../../../lambdas/api/runtime/base-path.ts';
import { anApiEvent, call, documentOf } from '../../../support/lambdas/api-gateway-events.ts';
import { expandsWithoutLoss } from '../../../support/lambdas/json-ld.ts';
import {
  createAnswerCheck,
  type OpenApiDocument,
  openApiDocument,
  operationsOf,
  responseOf,
} from '../../../support/lambdas/openapi.ts';
import { RecordingLogger } from '../../../support/lambdas/recording-logger.ts';

const BASE = '/dev';

const examples = ROUTES.flatMap(({ operationId, method, path, answers }) =>
  answers.flatMap(({ status, examples: ofAnswer = {} }) =>
    Object.entries(ofAnswer)
      .map(([name, { value }]) => ({ name, value: value as Record<string, unknown> }))
      .filter(({ value }) => '@type' in value)
      .map(({ name, value }) => ({
        title: `${operationId}, ${name}`,
        method,
        path,
        status,
        value,
      })),
  ),
);

/** The context at a path of the host, of an API that is served below `BASE`. */
const contextBelow = async (path: string): Promise<object> => {
  const context = CONTEXT_DOCUMENTS.get(path.replace(`${BASE}/contexts/`, ''));
  if (context === undefined) throw new Error(`There is no context at ${path}.`);
  return context;
};

const documentBelow: OpenApiDocument = openApiBelowBasePath(openApiDocument(), BASE);
const faultsOf = createAnswerCheck(documentBelow);

describe('an API that is served below the path of a stage', () => {
  it('answers with links below the path, and leaves free-form members alone', async () => {
    const endpoint = apiEndpoint(
      { access: 'member', answers: [] },
      new RecordingLogger(),
      async () => ({
        statusCode: 200,
        document: {
          '@context': '/contexts/Thing.jsonld',
          id: '/things/1',
          content: '/not/a/link',
          member: [
            { '@type': 'Part', webHook: '/integrations/1', data: { id: '/of/the/platform' } },
          ],
          view: { next: '/things?cursor=a', user: undefined, account: null, delivery: 'urn:other' },
        },
      }),
    );
    const event = anApiEvent({ path: '/things/1', basePath: BASE });
    expect(documentOf(await call(endpoint, event))).toEqual({
      '@context': '/dev/contexts/Thing.jsonld',
      id: '/dev/things/1',
      content: '/not/a/link',
      member: [
        { '@type': 'Part', webHook: '/dev/integrations/1', data: { id: '/of/the/platform' } },
      ],
      view: { next: '/dev/things?cursor=a', account: null, delivery: 'urn:other' },
    });
  });

  it.each(examples)('is read by a JSON-LD processor: $title', async ({ value }) => {
    const document = belowBasePath(value, BASE);
    expect(document['@context']).toMatch(/^\/dev\/contexts\//);
    await expandsWithoutLoss({ ...document }, contextBelow);
  });

  it('has links and free-form members where the contexts have them', () => {
    const terms = [...CONTEXT_DOCUMENTS.values()].flatMap((document) =>
      Object.entries(document['@context']),
    );
    const namesOf = (type: string) =>
      terms.flatMap(([name, term]) =>
        typeof term === 'object' && term['@type'] === type ? [name] : [],
      );
    expect(new Set(['@context', 'id', ...namesOf('@id')])).toEqual(LINK_MEMBERS);
    expect(new Set(namesOf('@json'))).toEqual(FREE_FORM);
  });

  it('has no other member of the name of a link or of a free-form member', () => {
    const kindsOf = Map.groupBy(
      [...CONTEXT_DOCUMENTS.values()].flatMap((document) => Object.entries(document['@context'])),
      ([name]) => name,
    );
    for (const name of [...LINK_MEMBERS, ...FREE_FORM]) {
      const kinds = (kindsOf.get(name) ?? []).map(([, term]) => JSON.stringify(term));
      expect([
        name,
        new Set(kinds.map((kind) => /"@type":"(@id|@json)"/.exec(kind)?.[1])).size,
      ]).toEqual([name, name === '@context' ? 0 : 1]);
    }
  });
});

describe('the OpenAPI document of an API below the path of a stage', () => {
  it.each(examples)('tells what is answered: $title', ({ method, path, status, value }) => {
    const found = operationsOf(documentBelow).find(
      (operation) => operation.path === path && operation.method === method.toLowerCase(),
    );
    const response = found && responseOf(documentBelow, found.operation, status);
    const [mediaType] = Object.keys(response?.content ?? {});
    const body = belowBasePath(value, BASE);
    const answer = { method, path: path.replaceAll(/[{}]/g, ''), status, mediaType, body };
    expect(faultsOf(answer)).toEqual([]);
    const shown = Object.values(response?.content?.[mediaType ?? '']?.examples ?? {});
    expect(shown.map((example) => example.value)).toContainEqual(body);
  });

  it('tells the webhook as endpoints receive it, wherever the API is', () => {
    const { webhooks, components } = documentBelow;
    expect(webhooks).toEqual(openApiDocument().webhooks);
    expect(components.schemas.WebhookDelivery).toEqual(
      openApiDocument().components.schemas.WebhookDelivery,
    );
  });

  it('is served for the path that the caller came by', async () => {
    const document = { properties: { id: { const: '/me' }, user: { pattern: '^\\/u' } } };
    const handler = getOpenapi.createHandler({
      openApiText: openApiTexts(() => document),
      logger: new RecordingLogger(),
    });
    const at = async (basePath: string) => {
      const event = anApiEvent({ path: '/openapi.json', basePath });
      return documentOf(await call(handler, event)) as typeof document;
    };
    const served = [await at('/dev'), await at(''), await at('/v1.2'), await at('/dev')];
    expect(served.map(({ properties }) => properties)).toEqual([
      { id: { const: '/dev/me' }, user: { pattern: expect.any(String) } },
      document.properties,
      { id: { const: '/v1.2/me' }, user: { pattern: expect.any(String) } },
      { id: { const: '/dev/me' }, user: { pattern: expect.any(String) } },
    ]);
    const { pattern } = (await at('/v1.2')).properties.user;
    expect(
      ['/v1.2/users', '/v1x2/users', '/users'].filter((id) => RegExp(pattern).test(id)),
    ).toEqual(['/v1.2/users']);
  });
});
