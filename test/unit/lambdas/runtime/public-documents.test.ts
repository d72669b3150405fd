import { describe, expect, it } from 'vitest';
import { CONTEXT_DOCUMENTS } from '../../../../lambdas/api/reference/context-documents.ts';
import { getContext, getListen, getOpenapi } from '../../../../lambdas/api/reference/documents.ts';
import { dispatch } from '../../../../lambdas/api/runtime/api-entry.ts';
import { publicEndpoint, publicText } from '../../../../lambdas/api/runtime/public-endpoint.ts';
import { anApiEvent, call, documentOf } from '../../../support/lambdas/api-gateway-events.ts';
import { RecordingLogger } from '../../../support/lambdas/recording-logger.ts';

const handler = getContext.createHandler({ logger: new RecordingLogger() });

const askContext = (document: string, headers: Record<string, string> = {}) =>
  call(handler, anApiEvent({ pathParameters: { document }, headers, authorizer: null }));

const tagOf = ({ headers }: { headers?: object }) => (headers as { ETag: string }).ETag;

describe('GET /contexts/{document}', () => {
  it('answers anyone, whatever they accept, with a context to keep for a day', async () => {
    const result = await askContext('Retry%2Ejsonld', { Accept: 'text/html' });
    expect(result).toMatchObject({
      statusCode: 200,
      headers: {
        'Content-Type': 'application/ld+json',
        'Cache-Control': 'public, max-age=86400',
        Vary: 'Accept-Encoding',
      },
    });
    expect(documentOf(result)).toEqual(CONTEXT_DOCUMENTS.get('Retry.jsonld'));
  });

  it.each(['Sinature.jsonld', 'Retry', '', '__proto__', '%'])('has no context %j', async (name) => {
    const result = await askContext(name);
    expect(result).toMatchObject({
      statusCode: 404,
      headers: { 'Content-Type': 'application/problem+json' },
    });
    expect(documentOf(result)).toMatchObject({ type: '/problems/not-found' });
  });
});

describe('GET /openapi.json', () => {
  it('answers anyone with the document, to keep for an hour', async () => {
    const document = { openapi: '3.1.1' };
    const handler = getOpenapi.createHandler({
      openApiText: () => JSON.stringify(document),
      logger: new RecordingLogger(),
    });
    const result = await call(handler, anApiEvent({ authorizer: null }));
    expect(result).toMatchObject({
      statusCode: 200,
      headers: { 'Content-Type': 'application/json', 'Cache-Control': 'public, max-age=3600' },
    });
    expect(documentOf(result)).toEqual(document);
  });
});

describe('GET /listen.mjs', () => {
  const listen = getListen.createHandler({
    program: "#\nconst API = '';\nconst VERSION = '';\n",
    version: '1.2.3',
    logger: new RecordingLogger(),
  });
  const download = (headers: Record<string, string>, basePath = '') =>
    call(listen, anApiEvent({ path: '/listen.mjs', basePath, headers, authorizer: null }));

  it.each([
    ['https', 'a1.execute-api.eu-west-1.amazonaws.com', '/prod'],
    ['https', 'api.example.com', ''],
    ['http', '127.0.0.1:4000', ''],
  ])('has the address that it is read at: %s://%s%s', async (protocol, host, base) => {
    const result = await download({ Host: host, 'X-Forwarded-Proto': protocol }, base);

    expect(result).toMatchObject({
      statusCode: 200,
      headers: {
        'Content-Type': 'text/javascript; charset=utf-8',
        'Cache-Control': 'public, max-age=3600',
      },
      body: `#\nconst API = "${protocol}://${host}${base}";\nconst VERSION = "1.2.3";\n`,
    });
  });

  it.each<Record<string, string>>([{}, { Host: 'a b' }])(
    'has no address if the request does not tell: %j',
    async (headers) => {
      const { body } = await download(headers);

      expect(body).toBe('#\nconst API = "";\nconst VERSION = "1.2.3";\n');
    },
  );

  it('cannot be made to run what a host name says', async () => {
    const { body } = await download({ Host: '"+process.exit()+"$&' });

    expect(body).toMatch(/^#\nconst API = (""|"(\\"|[^"\n])*");\n/);
  });
});

describe('a public document', () => {
  it('has a strong tag of all its content', () => {
    const tag = (text: string) =>
      publicText(text, { mediaType: 'text/plain', maxAgeSeconds: 1 }).entityTag;
    expect(tag('a')).toMatch(/^"[\w-]{43}"$/);
    expect(tag('a')).toBe(tag('a'));
    expect(tag('a')).not.toBe(tag('b'));
  });

  it.each<[string, (tag: string) => string]>([
    ['its tag', (tag) => tag],
    ['its tag made weak on the way', (tag) => `W/${tag}`],
    ['its tag among others', (tag) => `"a,b", ${tag}`],
    ['any', () => '*'],
  ])('is not sent again to who has %s', async (_, ifNoneMatch) => {
    const first = await askContext('Retry.jsonld');
    const again = await askContext('Retry.jsonld', { 'If-None-Match': ifNoneMatch(tagOf(first)) });
    expect(again).toEqual({ ...first, statusCode: 304, body: '' });
  });

  it.each(['"another"', 'W/"another"', 'nonsense', '""'])(
    'is sent to who has %s',
    async (ifNoneMatch) => {
      const result = await askContext('Retry.jsonld', { 'If-None-Match': ifNoneMatch });
      expect(result.statusCode).toBe(200);
    },
  );

  it('answers HEAD with the headers alone', async () => {
    const handle = dispatch([getContext], { logger: new RecordingLogger() });
    const ask = (method: string, document: string) =>
      call(
        handle,
        anApiEvent({
          method,
          resource: '/contexts/{document}',
          pathParameters: { document },
          authorizer: null,
        }),
      );
    const got = await ask('GET', 'Retry.jsonld');
    expect(await ask('HEAD', 'Retry.jsonld')).toEqual({ ...got, body: '' });
    expect(await ask('HEAD', 'nothing')).toMatchObject({ statusCode: 404, body: '' });
  });

  it('that our fault hides is a 500 that shows nothing of it', async () => {
    const logger = new RecordingLogger();
    const endpoint = publicEndpoint(logger, () => {
      throw new Error('at 10.0.0.1');
    });
    const result = await call(endpoint, anApiEvent({ authorizer: null }));
    expect(result.statusCode).toBe(500);
    expect(result.body).not.toContain('10.0.0.1');
    expect(logger.lines).toMatchObject([{ level: 'error', name: 'request.failed' }]);
  });
});
