import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '../../../../core/event/event-types.ts';
import { ROUTES } from '../../../../lambdas/api/openapi/routes.ts';
import { refusalKindsOf } from '../../../../lambdas/api/runtime/problem-examples.ts';
import type { Route } from '../../../../lambdas/api/runtime/route.ts';
import { openApiDocument, operationsOf, responseOf } from '../../../support/lambdas/openapi.ts';

const document = openApiDocument();
const operations = operationsOf(document);

const ROOT = join(import.meta.dirname, '../../../..');

interface RouteModule {
  readonly route: Route;
  readonly createHandler: unknown;
}

const isRoute = (value: unknown): value is RouteModule =>
  typeof value === 'object' && value !== null && 'route' in value && 'createHandler' in value;

/** The route that is the file, or the routes that the file exports, by their names. */
const routesIn = ([file, module]: readonly [string, object]): [string, Route][] => {
  if (isRoute(module)) {
    const name = file.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    return [[name, module.route]];
  }
  return Object.entries(module).flatMap(([name, value]): [string, Route][] =>
    isRoute(value) ? [[name, value.route]] : [],
  );
};

const routesOnDisk = async (): Promise<[string, Route][]> => {
  const files = globSync('lambdas/api/*/*.ts', { cwd: ROOT, exclude: ['**/*.d.ts'] });
  const modules = await Promise.all(
    files.map(async (file) => [basename(file, '.ts'), await import(join(ROOT, file))] as const),
  );
  return modules.flatMap(routesIn);
};

const operationOf = (operationId: string) => {
  const found = operations.find(({ operation }) => operation.operationId === operationId);
  if (found === undefined) throw new Error(`There is no operation ${operationId}.`);
  return found.operation;
};

const problemTypesOf = (operationId: string, status: number): string[] => {
  const response = responseOf(document, operationOf(operationId), status);
  const examples = response?.content?.['application/problem+json']?.examples ?? {};
  return Object.values(examples).map(({ value }) => (value as { type: string }).type);
};

type Schema = Readonly<Record<string, unknown>>;

/** Every object in a part of the document, but those in examples. */
const partsOf = (part: unknown, path = ''): readonly { path: string; part: Schema }[] => {
  if (typeof part !== 'object' || part === null) return [];
  return [
    { path, part: part as Schema },
    ...Object.entries(part).flatMap(([name, inner]) =>
      name.startsWith('example') ? [] : partsOf(inner, `${path}/${name}`),
    ),
  ];
};

const PARTS = partsOf(document);

const pathsWhere = (isFound: (part: Schema) => boolean): readonly string[] =>
  PARTS.filter(({ part }) => isFound(part)).map(({ path }) => path);

describe('the OpenAPI document for generators of clients', () => {
  it('gives each schema one type at most', () => {
    expect(pathsWhere(({ type }) => Array.isArray(type))).toEqual([]);
  });

  it('has patterns that are regular expressions in every language', () => {
    const patterns = PARTS.flatMap(({ part: { pattern } }) => pattern ?? []);
    expect(patterns.length).toBeGreaterThan(5);
    expect(patterns.filter((pattern) => /\\[pPuk]|\(\?[^:]/.test(`${pattern}`))).toEqual([]);
  });

  it('closes what a caller sends, and leaves answers open for the members of later versions', () => {
    const closed = pathsWhere((part) => part.additionalProperties === false);
    const schemas = closed.map((path) => path.split('/')[3]);
    expect([...new Set(schemas)].toSorted()).toEqual([
      'AccessTokenDocument',
      'AccountPatch',
      'ConsoleLinkDocument',
      'ConsoleSessionDocument',
      'IntegrationDocument',
      'RecoveryDocument',
      'SecretRotation',
      'SecretSwitch',
      'SignatureDocument',
      'WebhookTestDocument',
    ]);
  });

  it('has no schema of several parts that must all be valid', () => {
    expect(pathsWhere((part) => 'allOf' in part)).toEqual([]);
  });

  it('has no default in a body, which generated clients would send', () => {
    const withDefault = pathsWhere((part) => 'default' in part && 'type' in part);
    expect(withDefault.filter((path) => !path.includes('/parameters/'))).toEqual([]);
  });

  it('types the data of a webhook by its action, and leaves its bodies open', () => {
    const { WebhookDelivery, MessageReceivedDelivery } = document.components.schemas;
    const ref = (name: string) => `#/components/schemas/${name}Delivery`;
    expect(WebhookDelivery).toMatchObject({
      oneOf: [
        { $ref: ref('MessageReceived') },
        ...EVENT_TYPES.slice(1).map(() => ({ $ref: expect.any(String) })),
      ],
      discriminator: {
        propertyName: 'action',
        mapping: {
          'message.received': ref('MessageReceived'),
          'phone_call.completed': ref('PhoneCallCompleted'),
          'contact.opted_out': ref('ContactOptedOut'),
        },
      },
    });
    expect(MessageReceivedDelivery).toMatchObject({
      properties: {
        data: { properties: { message: { properties: { body: { type: 'string' } } } } },
      },
      additionalProperties: {},
    });
  });

  it('has no alternatives but those that exclude each other', () => {
    expect(pathsWhere((part) => 'anyOf' in part)).toEqual([]);
  });

  it('has the webhook under a tag of its own', () => {
    const { tags } = document.webhooks.event.post;
    expect(operations.filter(({ operation }) => tags.includes(`${operation.tags}`))).toEqual([]);
  });

  it('has every document in each media type, JSON first', () => {
    const { content } = responseOf(document, operationOf('getIntegration'), 200) ?? {};
    expect(Object.keys(content ?? {})).toEqual([
      'application/json',
      'application/ld+json',
      'application/vnd.service+jsonld',
    ]);
  });
});

describe('the OpenAPI document', () => {
  it('has the route of every file', async () => {
    const onDisk = (await routesOnDisk()).map(([, { operationId }]) => operationId);
    const listed = ROUTES.map(({ operationId }) => operationId);
    expect(onDisk.length).toBeGreaterThan(15);
    expect(listed.toSorted()).toEqual(onDisk.toSorted());
  });

  it('calls each operation by the name of its route', async () => {
    const routes = await routesOnDisk();
    expect(routes.map(([, { operationId }]) => operationId)).toEqual(routes.map(([name]) => name));
  });

  it('has the version it is made for, and relative servers', () => {
    expect(document.info.version).toBe('1.2.3');
    expect(document.servers).toEqual([{ url: '.' }]);
  });

  it('asks for a token, a signature, or nothing', () => {
    const named = (schemes: readonly object[] = [{ accessToken: [] }]) =>
      schemes.flatMap((scheme) => Object.keys(scheme)).join();
    const asked = operations.map(({ operation: { operationId, security } }) => [
      operationId,
      named(security),
    ]);
    const wanted = { public: '', code: '', platform: 'platform' };
    expect(Object.fromEntries(asked)).toEqual(
      Object.fromEntries(
        ROUTES.map(({ operationId, access }) => [
          operationId,
          access === 'admin' || access === 'member' ? 'accessToken' : wanted[access],
        ]),
      ),
    );
  });

  it.each(ROUTES)('tells every refusal of $operationId with its status', (route) => {
    const told = Object.keys(operationOf(route.operationId).responses)
      .flatMap((status) => problemTypesOf(route.operationId, Number(status)))
      .map((type) => type.replace('/problems/', ''));
    expect(told).toEqual(expect.arrayContaining([...refusalKindsOf(route)]));
  });

  it.each([
    ['createIntegration', 400, ['malformed-json', 'bad-request']],
    ['createIntegration', 401, ['unauthorized']],
    ['createIntegration', 403, ['forbidden']],
    ['createIntegration', 406, ['not-acceptable']],
    ['createIntegration', 409, ['idempotency-conflict', 'integration-quota']],
    ['createIntegration', 422, ['validation', 'validation']],
    ['createIntegration', 429, ['throttled']],
    ['createIntegration', 500, ['internal']],
    ['getIntegration', 403, []],
    ['getIntegration', 422, []],
    ['listIntegrations', 422, ['validation']],
    ['resendDelivery', 409, ['integration-inactive', 'test-delivery']],
    ['patchIntegration', 409, ['conflict']],
    ['patchIntegration', 412, ['precondition-failed']],
    ['getContext', 401, []],
    ['getContext', 404, ['not-found']],
    ['getContext', 406, []],
  ])('answers %s with %i for %j', (operationId, status, kinds) => {
    expect(problemTypesOf(operationId, status)).toEqual(kinds.map((kind) => `/problems/${kind}`));
  });

  it.each([
    ['createIntegration', ['pointer', 'header']],
    ['replaceIntegration', ['pointer']],
    ['listDeliveries', ['parameter']],
  ])('shows what can be invalid in a call of %s: %j', (operationId, places) => {
    const response = responseOf(document, operationOf(operationId), 422);
    const examples = response?.content?.['application/problem+json']?.examples ?? {};
    const shown = Object.values(examples).flatMap(
      ({ value }) => (value as { errors: object[] }).errors,
    );
    expect(shown.map((fault) => Object.keys(fault)[0])).toEqual(places);
  });

  it('refuses by If-Match wherever it is honoured, and nowhere else', () => {
    for (const { operationId, requestHeaders = [], refusals } of ROUTES) {
      expect(refusals.includes('precondition-failed'), operationId).toBe(
        requestHeaders.includes('If-Match'),
      );
    }
  });

  it('names the authentication schemes in the answer without one', () => {
    const response = responseOf(document, operationOf('getIntegration'), 401);
    expect(response?.headers).toHaveProperty('WWW-Authenticate');
  });

  it('names the bodies of a merge patch, and the calls that need none', () => {
    expect(Object.keys(operationOf('patchIntegration').requestBody?.content ?? {})).toEqual([
      'application/json',
      'application/ld+json',
      'application/vnd.service+jsonld',
      'application/merge-patch+json',
    ]);
    expect(operationOf('rotateSecret').requestBody?.required).toBe(false);
    expect(operationOf('createIntegration').requestBody?.required).toBe(true);
  });

  it('has no boolean constant, which generated Kotlin cannot compile', () => {
    expect(pathsWhere((part) => typeof part.const === 'boolean')).toEqual([]);
  });

  it('has an example of each parameter with a pattern, for clients that make one up', () => {
    const parameters = ROUTES.flatMap(
      ({ operationId }) => operationOf(operationId).parameters ?? [],
    );
    const bare = parameters.filter(({ schema }) => {
      const {
        pattern,
        example,
        examples = [example],
      } = schema as Record<string, string & string[]>;
      return pattern !== undefined && !new RegExp(pattern).test(String(examples[0]));
    });
    expect(bare.map(({ name }) => name)).toEqual([]);
  });

  it('says which names your own headers can have', () => {
    const named = PARTS.flatMap(({ part }) => (part.propertyNames ? [part.propertyNames] : []));
    expect(named).toContainEqual({ pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$" });
  });

  it('has parameters of the path, the query and the header of a call', () => {
    const named = (operationId: string) =>
      (operationOf(operationId).parameters ?? []).map(({ in: where, name }) => `${where} ${name}`);
    expect(named('listDeliveries')).toEqual([
      'path id',
      'query outcome',
      'query delivered',
      'query eventType',
      'query since',
      'query until',
      'query limit',
      'query cursor',
    ]);
    expect(named('createIntegration')).toEqual(['path account_name', 'header Idempotency-Key']);
  });

  it('has the limit of a page as the number it is', () => {
    const { schema } =
      operationOf('listDeliveries').parameters?.find(({ name }) => name === 'limit') ?? {};
    expect(schema).toEqual({
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: 20,
      example: 20,
      description: expect.any(String),
    });
  });

  it('has the examples of every JSON body but its own, once for all its media types', () => {
    const bodies = operations.flatMap(({ operation: { operationId, requestBody, responses } }) =>
      [requestBody, ...Object.values(responses)].flatMap((part) => {
        const types = Object.entries(part?.content ?? {}).filter(([type]) => type.includes('json'));
        const withExamples = types.filter(([, { examples }]) => examples);
        return types.length === 0 ? [] : [{ operationId, withExamples: withExamples.length }];
      }),
    );
    const others = bodies.filter(({ withExamples }) => withExamples !== 1);
    expect(others).toEqual([{ operationId: 'getOpenapi', withExamples: 0 }]);
  });

  it('fills in no filter for one who tries a call', () => {
    const filled = operations.flatMap(({ operation: { operationId, parameters = [] } }) =>
      parameters
        .filter(
          ({ in: where, schema, required }) =>
            where === 'query' && !required && 'example' in schema,
        )
        .map(({ name }) => `${operationId} ${name}`),
    );
    expect(filled.filter((parameter) => !parameter.endsWith(' limit'))).toEqual([]);
  });

  it('has no fault that a strict linter finds, and no wrong example', async () => {
    const config = await createConfig({
      extends: ['recommended-strict'],
      rules: {
        // `/{account_name}/integrations` is the contract's. The gateway takes the more literal
        // path, and no account can have the name of one.
        'no-ambiguous-paths': 'off',
        'no-invalid-media-type-examples': { severity: 'error', allowAdditionalProperties: true },
        'no-invalid-schema-examples': { severity: 'error', allowAdditionalProperties: true },
      },
    });
    const problems = await lintFromString({
      source: JSON.stringify(openApiDocument()),
      absoluteRef: 'openapi.json',
      config,
    });
    expect(
      problems.map(({ ruleId, message, location: [at] }) => [ruleId, message, at?.pointer]),
    ).toEqual([]);
  });
});
