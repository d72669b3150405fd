import { describe, expect, it } from 'vitest';
import { allowedBy, Statement } from '../iam/statements.ts';
import type { Route } from '../rest-api/api-definition.ts';
import { createRouter } from '../rest-api/routing.ts';

const ARN = 'arn:aws:execute-api:us-east-1:000000000000:api/local';

const allow = (...resources: (string | string[])[]) =>
  resources.map((Resource) =>
    Statement.parse({ Effect: 'Allow', Action: 'execute-api:Invoke', Resource }),
  );

describe('an authorizer’s policy', () => {
  it.each([
    ['the method itself', allow(`${ARN}/GET/users/1`), true],
    ['all of the stage', allow(`${ARN}/*`), true],
    ['anything', allow('*'), true],
    ['one of several', allow([`${ARN}/POST/*`, `${ARN}/GET/users/?`]), true],
    ['another method', allow(`${ARN}/POST/users/1`), false],
    ['a longer path', allow(`${ARN}/GET/users/1/signature`), false],
    ['a dot for any character', allow(`${ARN}/GET/users..`), false],
    ['nothing', allow(), false],
    [
      'another action',
      [Statement.parse({ Effect: 'Allow', Action: 's3:*', Resource: '*' })],
      false,
    ],
  ])('that allows %s', (_case, statements, expected) => {
    const access = { action: 'execute-api:Invoke', resource: `${ARN}/GET/users/1` };
    expect(allowedBy(statements, access) !== undefined).toBe(expected);
  });
});

const route = (method: string, path: string): Route => ({
  method,
  path,
  authorizer: undefined,
  isSigned: false,
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
    ['GET', '/integrations/a%2Fb%20c/', '/integrations/{id}', { id: 'a%2Fb%20c' }],
    ['POST', '/acme/integrations', '/{account}/integrations', { account: 'acme' }],
    ['GET', '/acme/abc', '/{account}/{name}', { account: 'acme', name: 'abc' }],
    ['GET', '/', '/', {}],
    ['GET', '/integrations/%zz', '/integrations/{id}', { id: '%zz' }],
  ])('takes %s %s to %s', (method, path, expected, pathParameters) => {
    const match = find(method, path);
    expect(match?.route.path).toBe(expected);
    expect(match?.pathParameters).toEqual(pathParameters);
  });
});
