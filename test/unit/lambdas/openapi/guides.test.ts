import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  getGuide,
  getReceiver,
  getReceiverFile,
  guidesIn,
  listGuides,
  listReceivers,
} from '../../../../lambdas/api/reference/guides.ts';
import { renderGuides } from '../../../../lib/constructs/guides.ts';
import { readReceivers } from '../../../../packages/console/serving/receivers.ts';
import { stepsOf } from '../../../support/journey/pasted-steps.ts';
import { anApiEvent, call } from '../../../support/lambdas/api-gateway-events.ts';
import { createAnswerCheck, openApiDocument } from '../../../support/lambdas/openapi.ts';
import { RecordingLogger } from '../../../support/lambdas/recording-logger.ts';

const GUIDES = renderGuides();
const PATHS = GUIDES.pages.map(({ path }) => path);

const ROUTES = [listGuides, getGuide, listReceivers, getReceiver, getReceiverFile];

/** The pages with code, by the names of their files. */
const NAMES = PATHS.flatMap((path) => /^\/guides\/([a-z-]+)$/.exec(path)?.[1] ?? []).filter(
  (name) => name !== 'receivers',
);

const CONSOLE = new URL('https://console.example.com');

const DEPS = {
  guides: guidesIn(() => JSON.stringify(GUIDES)),
  console: CONSOLE,
  logger: new RecordingLogger(),
};

const BROWSER = { accept: ['text/html,application/xhtml+xml,*/*;q=0.8'] };

const read = (path: string, basePath = '', headers = {}) => {
  const segments = path.split('/').length;
  const isReceiver = path.startsWith('/guides/receivers');
  const found = ROUTES.find(
    ({ route }) =>
      route.path.split('/').length === segments && route.path.includes('receivers') === isReceiver,
  );
  const { createHandler, route } = found ?? getGuide;
  const handler = createHandler(DEPS);
  return call(
    handler,
    anApiEvent({ path, basePath, headers, resource: route.path, authorizer: null }),
  );
};

/** Pages of the API that are no guides. */
const OTHERS = ['/docs', '/problems', '/reasons'];
const HOME = '/';

const linksIn = (html: string): string[] =>
  [...html.matchAll(/<a href="([^"]*)"/g)].map(([, link = '']) => link);

const elementIn = (page: string, element: string): string =>
  new RegExp(`<${element}.*?</${element}>`, 's').exec(page)?.[0] ?? '';

describe('the guides', () => {
  it('are the pages for integrators, then the receivers', () => {
    expect(PATHS.slice(0, 2)).toEqual(['/guides', '/guides/first-webhook']);
    expect(PATHS).toEqual(expect.arrayContaining(['/guides/recover', '/guides/receivers/express']));
    expect(new Set(PATHS).size).toBe(PATHS.length);
  });

  it.each(PATHS)('are served with links that lead somewhere: %s', async (path) => {
    const { statusCode, headers, body } = await read(path, '/prod');

    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({ 'Content-Type': 'text/html; charset=utf-8' });
    expect(body).not.toMatch(/\sstyle=|\son\w+=|\{base\}|<input|<img|\]\(|<!-- /);
    const htmlAt = new Map(GUIDES.pages.map((guide) => [`/prod${guide.path}`, guide.html]));
    const lost = linksIn(body).filter((link) => {
      const [page = '', anchor] = link.split('#');
      const html = page === '' ? body : htmlAt.get(page);
      if (/^https?:/.test(link)) return false;
      const path = page.replace('/prod', '');
      if (path in GUIDES.files || [HOME, ...OTHERS].includes(path)) return false;
      return html === undefined || (anchor !== undefined && !html.includes(`id="${anchor}"`));
    });
    expect(lost).toEqual([]);
    const others = linksIn(elementIn(body, 'nav'));
    const pages = PATHS.filter((page) => page !== '/guides');
    expect(others.toSorted()).toEqual(
      [...pages, ...OTHERS].map((page) => `/prod${page}`).toSorted(),
    );
    expect(elementIn(body, 'nav').match(/aria-current/g)?.length).toBe(
      path === '/guides' ? undefined : 1,
    );
  });

  it.each(PATHS)('name other pages by their titles: %s', async (path) => {
    const { body } = await read(path);
    expect(elementIn(body, 'main')).not.toMatch(/<a [^>]*>(<code>)?[\w-]+\.md|<a [^>]*>below</);
  });

  it('have a page for a browser that asks for another, and a problem for a program', async () => {
    const [page, problem] = [
      await read('/guides/recove', '/prod', BROWSER),
      await read('/guides/x'),
    ];

    expect(page.statusCode).toBe(404);
    expect(page.headers).toMatchObject({
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
    });
    expect(page.body).toContain('<h1>There is no such page</h1>');
    expect(linksIn(elementIn(page.body, 'main'))).toContain('/prod/guides');
    const faultsOf = createAnswerCheck(openApiDocument());
    for (const { statusCode: status, headers, body } of [page, problem]) {
      const mediaType = String(headers?.['Content-Type']);
      const answer = { status, mediaType, body: /json/.test(mediaType) ? JSON.parse(body) : body };
      expect(faultsOf({ method: 'GET', path: '/guides/{page}', ...answer })).toEqual([]);
    }
    expect([problem.statusCode, problem.headers?.['Content-Type']]).toEqual([
      404,
      'application/problem+json',
    ]);
  });

  it.each(NAMES)('have colours in code, and its very text: %s', async (name) => {
    const { body } = await read(`/guides/${name}`);
    const markdown = await readFile(`docs/integrators/${name}.md`, 'utf8');
    const fences = [...markdown.matchAll(/^```(\w*)\n(.*?)\n^```$/gms)];

    const blocks = blocksIn(body);
    expect(blocks.map(({ text }) => text)).toEqual(fences.map(([, , text]) => text));
    // Short commands have nothing to colour.
    const plain = fences.filter((_, at) => !blocks[at]?.isColoured).map(([, language]) => language);
    expect(plain.filter((language) => language !== 'text' && language !== 'sh')).toEqual([]);
  });

  it.each(['first-webhook', 'recover', 'reconcile', 'api'])(
    'tell what the steps print from code: %s',
    async (name) => {
      const { body } = await read(`/guides/${name}`);
      const steps = stepsOf(await readFile(`docs/integrators/${name}.md`, 'utf8'));

      const outputs = blocksIn(body).filter(({ isOutput }) => isOutput);
      expect(outputs.flatMap(({ text }) => text.split('\n'))).toEqual(
        steps.flatMap(({ shown }) => shown),
      );
    },
  );

  it('lead to the console', async () => {
    const { body } = await read('/guides/recover');
    expect(linksIn(elementIn(body, 'header'))).toEqual(['/', CONSOLE.href, '#pages']);
  });

  it('have the program of the first of them as a file', async () => {
    const { headers, body } = await read('/guides/receivers/node/receiver.mjs');

    expect(headers).toMatchObject({ 'Content-Type': 'text/plain; charset=utf-8' });
    const page = await readFile('docs/integrators/answer-fast.md', 'utf8');
    expect(page).toContain(`\n\`\`\`js\n${body}\`\`\`\n`);
    expect(body).toContain('createServer');
  });

  it('are listed below the heading of the index that names them', async () => {
    const { body } = await read('/guides/recover');
    const groups = elementIn(body, 'nav').split('<h2>').slice(1);
    expect(groups.map((group) => [group.split('<')[0], linksIn(group)[0]])).toEqual([
      ['Start', '/guides/first-webhook'],
      ['Receive', '/guides/verify-webhooks'],
      ['Recover', '/guides/recover'],
      ['Reference', '/guides/webhooks'],
      ['Calls and answers', '/docs'],
      ['Receivers', '/guides/receivers'],
    ]);
  });

  it.each(readReceivers())(
    'have each file of the receiver $name',
    async ({ name, code, sample, files, folder }) => {
      const { body } = await read(`/guides/receivers/${name}`);

      expect(blocksIn(body)).toContainEqual({ text: code, isColoured: true, isOutput: false });
      for (const file of [sample, ...files]) {
        const address = `/guides/receivers/${name}/${file.replaceAll('/', '-')}`;
        const served = await read(address);
        expect(body).toContain(`<h2 id="${file}"><a href="${address}">`);
        expect(served.headers).toMatchObject({ 'Content-Type': 'text/plain; charset=utf-8' });
        expect(served.body).toBe(await readFile(join(folder, file), 'utf8'));
      }
    },
  );

  it.each(readReceivers())('have an archive of $name', async ({ name, sample, files, folder }) => {
    const { headers, body } = await read(`/guides/receivers/${name}/${name}.tar`);
    const tar = (...options: string[]) => execFileSync('tar', options, { input: body });
    const names = [sample, ...files].map((file) => `${name}/${file}`);

    expect(headers).toMatchObject({ 'Content-Type': 'application/x-tar' });
    expect(`${tar('t')}`.trim().split('\n').toSorted()).toEqual(names.toSorted());
    for (const file of [sample, ...files]) {
      expect(tar('xO', `${name}/${file}`)).toEqual(await readFile(join(folder, file)));
    }
  });

  it('have no page of another name', async () => {
    expect((await read('/guides/README')).statusCode).toBe(404);
    expect((await read('/guides/receivers/cobol')).statusCode).toBe(404);
    expect((await read('/guides/receivers/express/receiver.json')).statusCode).toBe(404);
    expect((await read('/guides/receivers/express/toString')).statusCode).toBe(404);
  });
});

/** The blocks of a page, as a browser shows them. */
const blocksIn = (html: string) =>
  [...html.matchAll(/<pre( class="output")?><code>(.*?)<\/code><\/pre>/gs)].map(
    ([, output, code = '']) => ({
      text: code
        .replaceAll(/<\/?span[^>]*>/g, '')
        .replaceAll(/&(lt|gt|quot|#39|#x27|amp);/g, (entity) => ENTITIES[entity] ?? entity),
      isColoured: code.includes('<span class="hljs-'),
      isOutput: output !== undefined,
    }),
  );

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#x27;': "'",
  '&amp;': '&',
};
