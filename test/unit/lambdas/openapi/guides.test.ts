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
import { anApiEvent, call } from '../../../support/lambdas/api-gateway-events.ts';
import { RecordingLogger } from '../../../support/lambdas/recording-logger.ts';

const GUIDES = renderGuides();
const PATHS = GUIDES.pages.map(({ path }) => path);

const ROUTES = [listGuides, getGuide, listReceivers, getReceiver, getReceiverFile];

const read = (path: string, basePath = '') => {
  const segments = path.split('/').length;
  const isReceiver = path.startsWith('/guides/receivers');
  const found = ROUTES.find(
    ({ route }) =>
      route.path.split('/').length === segments && route.path.includes('receivers') === isReceiver,
  );
  const { createHandler, route } = found ?? getGuide;
  const guides = guidesIn(() => JSON.stringify(GUIDES));
  const handler = createHandler({ guides, logger: new RecordingLogger() });
  return call(handler, anApiEvent({ path, basePath, resource: route.path, authorizer: null }));
};

const linksIn = (html: string): string[] =>
  [...html.matchAll(/<a href="([^"]*)"/g)].map(([, link = '']) => link);

const elementIn = (page: string, element: string): string =>
  new RegExp(`<${element}.*?</${element}>`, 's').exec(page)?.[0] ?? '';

describe('the guides', () => {
  it('are the pages for integrators, then the receivers', () => {
    expect(PATHS.slice(0, 3)).toEqual([
      '/guides',
      '/guides/first-webhook',
      '/guides/getting-started',
    ]);
    expect(PATHS).toEqual(expect.arrayContaining(['/guides/recover', '/guides/receivers/express']));
    expect(new Set(PATHS).size).toBe(PATHS.length);
  });

  it.each(PATHS)('are served with links that lead somewhere: %s', async (path) => {
    const { statusCode, headers, body } = await read(path, '/prod');

    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({ 'Content-Type': 'text/html; charset=utf-8' });
    expect(body).not.toMatch(/<script|\sstyle=|\son\w+=|\{base\}|<input|<img|\]\(|<!-- /);
    const pages = new Map(GUIDES.pages.map((guide) => [`/prod${guide.path}`, guide.html]));
    const lost = linksIn(body).filter((link) => {
      const [page = '', anchor] = link.split('#');
      const html = page === '' ? body : pages.get(page);
      if (/^https?:/.test(link)) return false;
      if (page.replace('/prod', '') in GUIDES.files) return false;
      return html === undefined || (anchor !== undefined && !html.includes(`id="${anchor}"`));
    });
    expect(lost).toEqual([]);
    const others = linksIn(elementIn(body, 'nav'));
    expect(others).toContain(path === '/guides' ? '/prod/guides/first-webhook' : '/prod/guides');
  });

  it.each(readReceivers())(
    'have each file of the receiver $name',
    async ({ name, code, sample, files, folder }) => {
      const { body } = await read(`/guides/receivers/${name}`);

      const shown = [...body.matchAll(/<pre tabindex="0"><code>(.*?)<\/code><\/pre>/gs)].map(
        ([, html = '']) =>
          html.replaceAll(/&(lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity] ?? entity),
      );
      expect(shown).toContain(code);
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

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};
