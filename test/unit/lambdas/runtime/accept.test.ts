import { describe, expect, it } from 'vitest';
import { apiEndpoint } from '../../../../lambdas/api/runtime/api-endpoint.ts';
import { anApiEvent, call, documentOf } from '../../../support/lambdas/api-gateway-events.ts';
import { RecordingLogger } from '../../../support/lambdas/recording-logger.ts';

const endpoint = apiEndpoint({ access: 'member' }, new RecordingLogger(), async () => ({
  statusCode: 200,
  document: { '@type': 'Nothing' },
}));

const answerTo = (accept: string | string[] | undefined, name = 'Accept') =>
  call(endpoint, anApiEvent({ headers: accept === undefined ? {} : { [name]: accept } }));

describe('what a caller accepts', () => {
  it.each([
    undefined,
    '*/*',
    'application/*',
    'application/vnd.service+jsonld',
    'application/ld+json',
    'application/json',
    'APPLICATION/JSON',
    'text/html, application/json;q=0.9, */*;q=0.1',
    'text/html, application/*;q=0.001',
    'application/json;q=0, application/ld+json',
    'application/json; charset=utf-8',
    'application/ld+json;profile="http://www.w3.org/ns/json-ld#compacted"',
    'text/html, application/ld+json; profile="a;b,c" ; q=0.5',
    '',
    'application/json;q=0, */*',
    ' application/json ',
    ['text/html', 'application/json'],
  ])('may be %j', async (accept) => {
    const { statusCode, headers } = await answerTo(accept);
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({ 'Content-Type': 'application/vnd.service+jsonld' });
  });

  it.each([
    'text/html',
    'text/*',
    'application/xml',
    'application/problem+json',
    'application/vnd.service+json',
    'application/json;q=0',
    'application/*;q=0',
    '*/*;q=0',
    'application/vnd.service+jsonld;q=0, application/ld+json;q=0, application/json;q=0, */*;q=0.5',
    'nonsense',
    ',,,',
  ])('may not be %j', async (accept) => {
    const result = await answerTo(accept);
    expect(result.statusCode).toBe(406);
    expect(documentOf(result)).toMatchObject({ status: 406, title: 'Not Acceptable' });
  });

  it.each(['accept', 'ACCEPT', 'aCCept'])('is read from a header named %s', async (name) => {
    expect((await answerTo('text/html', name)).statusCode).toBe(406);
  });
});
