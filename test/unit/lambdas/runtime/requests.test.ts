import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { apiEndpoint } from '../../../../lambdas/api/runtime/api-endpoint.ts';
import {
  type ApiEventWishes,
  anApiEvent,
  call,
  documentOf,
} from '../../../support/lambdas/api-gateway-events.ts';
import { RecordingLogger } from '../../../support/lambdas/recording-logger.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };

const ANSWERS = [{ status: 200, description: 'A document.', schema: z.unknown() }] as const;
const ROUTE = {
  access: 'admin',
  body: { schema: z.unknown(), examples: {} },
  answers: ANSWERS,
} as const;

/** Answers what it understood. */
const send = async (overrides: ApiEventWishes) => {
  const logger = new RecordingLogger();
  const endpoint = apiEndpoint(ROUTE, logger, async ({ body }) => ({
    statusCode: 201,
    document: { body },
  }));
  const result = await call(
    endpoint,
    anApiEvent({ method: 'POST', headers: JSON_TYPE, ...overrides }),
  );
  return { ...result, document: documentOf(result), logger };
};

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('the body of a request', () => {
  it.each(['{"a":[1,null,"Grüße 👋"]}', '[]', '7', 'null', 'false', '"text"', ' {} \n'])(
    'is understood: %s',
    async (body) => {
      expect((await send({ body })).document).toEqual({ body: JSON.parse(body) });
    },
  );

  it('is understood when the gateway passes it in base64', async () => {
    const { document } = await send({ body: base64('{"a":"Grüße 👋"}'), isBase64Encoded: true });
    expect(document).toEqual({ body: { a: 'Grüße 👋' } });
  });

  it.each(['{', 'hello', '{"a":1,}', "{'a':1}", '\uFEFF{}', '{"a":1}}', 'undefined', '\0'])(
    'is answered with 400 when it is not JSON: %j',
    async (body) => {
      const { statusCode, document } = await send({ body });
      expect(statusCode).toBe(400);
      expect(document).toMatchObject({ type: '/problems/malformed-json' });
    },
  );

  it.each([
    ['{"a":1,"b":{},"a":1}', '/a'],
    ['{"settings":{"filter":{"to":["x"],"t\\u006f":["y"]}}}', '/settings/filter/to'],
    ['{"a":[{"b":1},{"b":1,"c/d":2,"c/d" : 3}]}', '/a/1/c~1d'],
    ['[[],{"":1,"":2}]', '/1/'],
  ])('is refused where a member would be dropped: %s', async (body, pointer) => {
    const { statusCode, document } = await send({ body });
    expect(statusCode).toBe(422);
    expect(document.errors).toEqual([{ pointer, detail: 'must not be there twice' }]);
  });

  it('may have one name in different objects, and in texts', async () => {
    const body = '{"a":{"a":[{"a":1},{"a":2}]},"b":"\\",\\"a\\":1","c":["a","a"]}';
    expect((await send({ body })).document).toEqual({ body: JSON.parse(body) });
    expect((await send({ body: '{"a\\x":1,"a":2}' })).statusCode).toBe(400);
  });

  it('is told that it begins with a byte order mark', async () => {
    const { statusCode, document } = await send({
      body: base64('\uFEFF{}'),
      isBase64Encoded: true,
    });
    expect(statusCode).toBe(400);
    expect(document.detail).toContain('begins with a byte order mark');
  });

  it.each([
    ['ISO-8859-1', [0x43, 0x61, 0x66, 0xe9]],
    ['a character that is cut off', [0xf0, 0x9f, 0x98]],
    ['an overlong form', [0xc0, 0xaf]],
    ['half of a surrogate pair', [0xed, 0xa0, 0x80]],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00]],
  ])('is answered with 400 when it is not UTF-8, but %s', async (_what, bytes) => {
    const body = Buffer.from([0x22, ...bytes, 0x22]).toString('base64');
    const { statusCode, document } = await send({ body, isBase64Encoded: true });
    expect(statusCode).toBe(400);
    expect(document).toMatchObject({ detail: 'The request body is not UTF-8.' });
  });

  it.each([
    { body: null },
    { body: '' },
    { body: '', isBase64Encoded: true },
    { body: base64('{'), isBase64Encoded: true },
  ])('is answered with 400 when there is none: %j', async (overrides) => {
    expect((await send(overrides)).statusCode).toBe(400);
  });

  it.each([
    [64, 201],
    [65, 422],
    [2_300, 422],
    [30_000, 422],
  ])('nested %i levels deep is answered with %i', async (levels, status) => {
    const body = '['.repeat(levels) + ']'.repeat(levels);
    expect((await send({ body })).statusCode).toBe(status);
    expect((await send({ body: base64(body), isBase64Encoded: true })).statusCode).toBe(status);
  });

  it('may have 64 KiB', async () => {
    const body = JSON.stringify('x'.repeat(65_534));
    expect((await send({ body })).statusCode).toBe(201);
    expect((await send({ body: base64(body), isBase64Encoded: true })).statusCode).toBe(201);
  });

  it.each([
    ['one byte more', JSON.stringify('x'.repeat(65_535))],
    ['fewer characters, but more bytes', JSON.stringify('é'.repeat(40_000))],
    ['a megabyte', JSON.stringify('x'.repeat(1_000_000))],
    ['a megabyte that is not JSON', 'x'.repeat(1_000_000)],
  ])('is answered with 413 when it has %s than that', async (_case, body) => {
    expect((await send({ body })).statusCode).toBe(413);
    expect((await send({ body: base64(body), isBase64Encoded: true })).statusCode).toBe(413);
  });

  it.each(['{"__proto__":{"admin":true}}', '{"a":[{"__proto__":1}]}'])(
    'is answered with 422 when it names a prototype: %s',
    async (body) => {
      const { statusCode, document } = await send({ body });
      expect(statusCode).toBe(422);
      expect(document.errors).toEqual([
        { pointer: '', detail: 'a member must not be named __proto__' },
      ]);
    },
  );

  it('is not quoted by the answer, nor logged', async () => {
    for (const body of ['{"PRIVATE', '{"__proto__":"PRIVATE"}', 'PRIVATE']) {
      const { document, logger } = await send({ body });
      expect(JSON.stringify(document)).not.toContain('PRIVATE');
      expect(logger.lines).toEqual([]);
    }
  });
});

describe('the Content-Type of a body', () => {
  it.each([
    'application/vnd.service+jsonld',
    'application/ld+json',
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'Application/LD+JSON ; profile="x"',
    'application/json; profile="x"; CHARSET=utf8',
  ])('may be %s', async (type) => {
    expect((await send({ body: '{}', headers: { 'content-type': type } })).statusCode).toBe(201);
  });

  it.each([
    undefined,
    '',
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json-seq',
    'application/merge-patch+json',
    'application/jsonp, application/json',
    'application/json; charset=iso-8859-1',
    'application/json;charset="windows-1252"',
    'application/json; charset=utf-16',
    'application/json; charset=us-ascii',
    'application/json; charset=',
    'application/ld+json; charset=utf-8; charset=latin1',
    'application/vnd.service+jsonld; profile="x"; Charset=UTF-16LE',
    'application',
    ';',
  ])('may not be %j', async (type) => {
    const headers: Record<string, string> = type === undefined ? {} : { 'Content-Type': type };
    const { statusCode, document } = await send({ body: '{}', headers });
    expect(statusCode).toBe(415);
    expect(document).toMatchObject({ title: 'Unsupported Media Type' });
  });
});

const VENDOR = 'application/vnd.service+jsonld';
const LINKED = 'application/ld+json';
const PLAIN = 'application/json';

const endpoint = apiEndpoint(
  { access: 'member', answers: ANSWERS },
  new RecordingLogger(),
  async () => ({ statusCode: 200, document: { '@type': 'Nothing' } }),
);

const deletion = apiEndpoint(
  { access: 'member', answers: [{ status: 204, description: 'It is deleted.' }] },
  new RecordingLogger(),
  async () => ({ statusCode: 204 }),
);

const answerTo = (accept: string | string[] | undefined, name = 'Accept', handler = endpoint) =>
  call(handler, anApiEvent({ headers: accept === undefined ? {} : { [name]: accept } }));

describe('what a caller accepts', () => {
  it.each<[string | string[] | undefined, string]>([
    [undefined, VENDOR],
    ['', VENDOR],
    ['*/*', VENDOR],
    ['application/*', VENDOR],
    [VENDOR, VENDOR],
    [LINKED, LINKED],
    [PLAIN, PLAIN],
    ['APPLICATION/JSON', PLAIN],
    [' application/json ', PLAIN],
    [`${PLAIN}, ${VENDOR}`, PLAIN],
    [`${PLAIN};q=0.5, ${LINKED};q=0.6`, LINKED],
    [`${PLAIN}, */*;q=0.8`, PLAIN],
    [`text/html, ${PLAIN};q=0.9, */*;q=0.1`, PLAIN],
    ['text/html, application/*;q=0.001', VENDOR],
    [`${PLAIN};q=0, ${LINKED}`, LINKED],
    [`${PLAIN};q=0, */*`, VENDOR],
    [`${PLAIN}; charset=utf-8`, PLAIN],
    ['application/ld+json;profile="http://www.w3.org/ns/json-ld#compacted"', LINKED],
    ['text/html, application/ld+json; profile="a;b,c" ; q=0.5', LINKED],
    [['text/html', PLAIN], PLAIN],
    [`application/problem+json, ${PLAIN}`, PLAIN],
  ])('of %j is answered as %s', async (accept, type) => {
    const { statusCode, headers } = await answerTo(accept);
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({ 'Content-Type': type });
  });

  it.each(['application/problem+json', 'application/problem+json, text/html', PLAIN])(
    'may be %s for an answer without a document',
    async (accept) => {
      const { statusCode, headers } = await answerTo(accept, 'Accept', deletion);
      expect(statusCode).toBe(204);
      expect(headers).not.toHaveProperty('Content-Type');
    },
  );

  it('is not text/html for an answer without a document', async () => {
    expect((await answerTo('text/html', 'Accept', deletion)).statusCode).toBe(406);
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

  it('is read from the first 1,000 characters', async () => {
    const json = 'application/json';
    const jsonAfter = (blanks: number) => answerTo(`text/html,${' '.repeat(blanks)}${json}`);
    expect((await jsonAfter(990 - json.length)).statusCode).toBe(200);
    expect((await jsonAfter(9_500)).statusCode).toBe(406);
  });

  it.each(['accept', 'ACCEPT', 'aCCept'])('is read from a header named %s', async (name) => {
    expect((await answerTo('text/html', name)).statusCode).toBe(406);
  });
});
