import { describe, expect, it } from 'vitest';
import { createAnswerCheck, openApiDocument } from '../../../support/lambdas/openapi.ts';

const faultsOf = createAnswerCheck(openApiDocument());

const signature = {
  '@context': '/contexts/Signature.jsonld',
  '@type': 'Signature',
  id: '/users/u_1/signature',
  content: 'Kind regards',
};

const answer = {
  method: 'GET',
  path: '/users/u_1/signature',
  status: 200,
  mediaType: 'application/vnd.service+jsonld',
  body: signature,
};

describe('an answer that is checked against the OpenAPI document', () => {
  it('may be what the document tells', () => {
    expect(faultsOf(answer)).toEqual([]);
    expect(
      faultsOf({
        method: 'DELETE',
        path: '/integrations/8Fq2LmZ0aBcD',
        status: 204,
        mediaType: undefined,
        body: undefined,
      }),
    ).toEqual([]);
  });

  it.each([
    ['status', { status: 202 }, 'The status 202 is not told.'],
    [
      'media type',
      { mediaType: 'text/html' },
      'It is text/html, not application/json or application/ld+json or application/vnd.service+jsonld.',
    ],
    ['missing member', { body: { ...signature, content: undefined } }, 'content'],
    ['additional member', { body: { ...signature, colour: 'red' } }, 'colour'],
  ])('may have no other %s', (_, change, fault) => {
    expect(faultsOf({ ...answer, ...change }).join()).toContain(fault);
  });

  it('is of the route that the gateway chooses', () => {
    const context = { path: '/contexts/integrations', mediaType: 'application/ld+json' };
    expect(faultsOf({ ...answer, ...context, body: { '@context': {} } })).toEqual([]);
  });

  it('is of a route that there is', () => {
    expect(() => faultsOf({ ...answer, path: '/users' })).toThrow('There is no GET /users.');
  });
});
