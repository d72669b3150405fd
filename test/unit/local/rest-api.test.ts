import { describe, expect, it } from 'vitest';
import type { Route } from '../../../local/rest-api/api-definition.ts';
import { createRouter } from '../../../local/rest-api/routing.ts';
import { allows, PolicyDocument } from '../../../local/rest-api/token-authorizer.ts';

const ARN = 'arn:aws:execute-api:us-east-1:000000000000:api/local';

const policy = (...statements: [effect: 'Allow' | 'Deny', resource: string | string[]][]) =>
  PolicyDocument.parse({
    Version: '2012-10-17',
    Statement: statements.map(([Effect, Resource]) => ({
      Effect,
      Action: 'execute-api:Invoke',
      Resource,
    })),
  });

describe('an authorizer’s policy', () => {
  it.each([
    ['the method itself', policy(['Allow', `${ARN}/GET/users/1`]), true],
    ['all of the stage', policy(['Allow', `${ARN}/*`]), true],
    ['anything', policy(['Allow', '*']), true],
    ['one of several', policy(['Allow', [`${ARN}/POST/*`, `${ARN}/GET/users/?`]]), true],
    ['another method', policy(['Allow', `${ARN}/POST/users/1`]), false],
    ['a longer path', policy(['Allow', `${ARN}/GET/users/1/signature`]), false],
    ['a dot for any character', policy(['Allow', `${ARN}/GET/users..`]), false],
    ['what a deny takes back', policy(['Allow', '*'], ['Deny', `${ARN}/GET/*`]), false],
    ['nothing', policy(), false],
  ])('that allows %s', (_case, document, expected) => {
    expect(allows(document, `${ARN}/GET/users/1`)).toBe(expected);
  });

  it('may be one statement, and another action allows nothing', () => {
    const statement = { Effect: 'Allow', Action: 's3:*', Resource: '*' };
    expect(allows(PolicyDocument.parse({ Statement: statement }), ARN)).toBe(false);
  });
});

const route = (method: string, path: string): Route => ({
  method,
  path,
  authorizer: undefined,
  backend: {
    functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:f',
    timeoutMs: 29_000,
  },
});

describe('routing', () => {
  const find = createRouter([
    route('GET', '/{account}/{name}'),
    route('POST', '/{account}/integrations'),
    route('GET', '/integrations/{id}'),
    route('GET', '/'),
  ]);

  it.each([
    ['GET', '/integrations/abc', '/integrations/{id}', { id: 'abc' }],
    ['GET', '/integrations/a%2Fb%20c/', '/integrations/{id}', { id: 'a/b c' }],
    ['POST', '/acme/integrations', '/{account}/integrations', { account: 'acme' }],
    ['GET', '/acme/abc', '/{account}/{name}', { account: 'acme', name: 'abc' }],
    ['GET', '/', '/', {}],
    ['GET', '/integrations/%zz', '/integrations/{id}', { id: '%zz' }],
  ])('takes %s %s to %s', (method, path, expected, pathParameters) => {
    const match = find(method, path);
    expect(match?.route.path).toBe(expected);
    expect(match?.pathParameters).toEqual(pathParameters);
  });

  it.each([
    ['DELETE', '/integrations/abc'],
    ['POST', '/integrations/integrations'],
    ['GET', '/acme'],
    ['GET', '/acme/a/b'],
    ['GET', '//'],
  ])('has nothing for %s %s', (method, path) => {
    expect(find(method, path)).toBeUndefined();
  });
});
