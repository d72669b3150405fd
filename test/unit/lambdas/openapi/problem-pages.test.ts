import { describe, expect, it } from 'vitest';
import { getProblem, listProblems } from '../../../../lambdas/api/reference/problem-documents.ts';
import { PROBLEMS } from '../../../../lambdas/api/runtime/problems.ts';
import { anApiEvent, call, documentOf } from '../../../support/lambdas/api-gateway-events.ts';
import { RecordingLogger } from '../../../support/lambdas/recording-logger.ts';

const logger = new RecordingLogger();
const guides = () => ({ pages: [], navigation: '', files: {} });
const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

const at = (path: string, accept?: string, basePath = '') => {
  const kind = path.split('/')[2];
  return call(
    (kind === undefined ? listProblems : getProblem).createHandler({
      guides,
      console: undefined,
      logger,
    }),
    anApiEvent({
      path,
      basePath,
      resource: kind === undefined ? '/problems' : '/problems/{kind}',
      ...(kind !== undefined && { pathParameters: { kind } }),
      ...(accept !== undefined && { headers: { Accept: accept } }),
      authorizer: null,
    }),
  );
};

const kinds = Object.keys(PROBLEMS);

describe('the page that the type of a problem leads to', () => {
  it.each(kinds)('tells programs the meaning, an example and a remedy of %s', async (kind) => {
    const result = await at(`/problems/${kind}`);
    expect(result.statusCode).toBe(200);
    expect(result.headers?.['Content-Type']).toBe('application/json');
    const { example, ...page } = documentOf(result);
    expect(page).toEqual({
      id: `/problems/${kind}`,
      kind,
      title: expect.stringMatching(/\w/),
      status: expect.any(Number),
      meaning: expect.stringMatching(/\w.*\.$/),
      remedy: expect.stringMatching(/\w.*\.$/),
    });
    expect(example).toMatchObject({
      type: `/problems/${kind}`,
      title: page.title,
      status: page.status,
    });
  });

  it.each(kinds)('shows people the same of %s', async (kind) => {
    const { headers, body } = await at(`/problems/${kind}`, HTML);
    expect(headers?.['Content-Type']).toBe('text/html; charset=utf-8');
    for (const heading of ['What it means', 'What to do', 'Example']) {
      expect(body).toContain(`<h2>${heading}</h2>`);
    }
    expect(body).toContain(`&quot;type&quot;: &quot;/problems/${kind}&quot;`);
  });

  it('is HTML that shows code and runs none of it', async () => {
    const { body } = await at('/problems/unauthorized', HTML);
    expect(body).not.toMatch(/\sstyle=|\son\w+=|<token>/);
    expect(body).toContain('<code>Authorization: Bearer &lt;token&gt;</code>');
  });

  it.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['application/json', 'application/json'],
    ['application/vnd.service+jsonld', 'application/json'],
    ['image/png', 'application/json'],
    ['text/html;q=0.5, application/json', 'application/json'],
    ['text/html', 'text/html; charset=utf-8'],
    [HTML, 'text/html; charset=utf-8'],
  ])('answers %j with %s, and says that Accept matters', async (accept, mediaType) => {
    for (const path of ['/problems', '/problems/conflict']) {
      expect((await at(path, accept)).headers).toMatchObject({
        'Content-Type': mediaType,
        Vary: 'Accept, Accept-Encoding',
      });
    }
  });

  it.each(['nothing', '', '__proto__', '%'])('is a problem itself for %j', async (kind) => {
    const result = await at(`/problems/${kind}`);
    expect(result.statusCode).toBe(404);
    expect(documentOf(result).type).toBe('/problems/not-found');
  });

  it('has links and types that resolve below the path of a stage', async () => {
    const { id, example } = documentOf(await at('/problems/conflict', undefined, '/prod'));
    expect([id, example]).toMatchObject([
      '/prod/problems/conflict',
      { type: '/prod/problems/conflict' },
    ]);
    const { body } = await at('/problems/conflict', HTML, '/prod');
    expect(body).toContain('&quot;/prod/problems/conflict&quot;');
    const refused = await at('/problems/nothing', undefined, '/prod');
    expect(documentOf(refused).type).toBe('/prod/problems/not-found');
  });
});

describe('the list of problems', () => {
  it('leads to the page of every kind', async () => {
    const { problems } = documentOf(await at('/problems')) as { problems: { kind: string }[] };
    expect(problems.map(({ kind }) => kind).toSorted()).toEqual(kinds.toSorted());
    const { body } = await at('/problems', HTML, '/prod');
    for (const kind of kinds) expect(body).toContain(`<a href="/prod/problems/${kind}">`);
  });
});
