import { describe, expect, inject, it } from 'vitest';
import { openApiBelowBasePath } from '../../lambdas/api/openapi/below-base-path.ts';
import { createOpenApiDocument } from '../../lambdas/api/openapi/document.ts';
import { ROUTES } from '../../lambdas/api/openapi/routes.ts';
import { CONTEXT_DOCUMENTS } from '../../lambdas/api/reference/context-documents.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { basePathOf } from '../support/journey/base-path.ts';
import { call } from '../support/journey/platform.ts';
import type { ApiReply } from '../support/journey/platform-of.ts';

const { api } = inject('service');

const read = (path: string, headers: Record<string, string> = {}): Promise<ApiReply> =>
  call('GET', path, { token: undefined, headers });

const mediaTypeOf = ({ headers }: Pick<ApiReply, 'headers'>): string | null =>
  headers.get('content-type');

/** Types of what is only in other documents. */
const OF_PARTS = ['/contexts/Attempt.jsonld', '/contexts/PartialCollectionView.jsonld'];

const contexts = [...CONTEXT_DOCUMENTS].map(([name, document]) => ({ name, document }));

describe('A context', () => {
  it('is there for every type that the reference tells of', async () => {
    const reference = JSON.stringify((await read('/openapi.json')).document);
    const told = new Set(reference.match(/\/contexts\/\w+\.jsonld/g));

    expect([...told, ...OF_PARTS].toSorted()).toEqual(
      contexts.map(({ name }) => `/contexts/${name}`).toSorted(),
    );
  });
});

describe('A public document', () => {
  it.each(['/', '/openapi.json', '/contexts/Retry.jsonld', '/event-types', '/problems'])(
    'answers HEAD as GET, without the body: %s',
    async (path) => {
      const got = await fetch(api + path);
      const asked = await fetch(api + path, { method: 'HEAD' });

      expect([asked.status, await asked.text()]).toEqual([200, '']);
      expect(asked.headers.get('etag')).toBe(got.headers.get('etag'));
      expect(mediaTypeOf(asked)).toBe(mediaTypeOf(got));
    },
  );
});

describe('The reference', () => {
  it('is what the routes of the code say, for the version that runs', async () => {
    const reply = await read('/openapi.json');

    const { version } = packageJson;
    const made = createOpenApiDocument(ROUTES, { version });
    const served = openApiBelowBasePath(made, basePathOf(api));
    expect(reply.document).toEqual(JSON.parse(JSON.stringify(served)));
    expect(mediaTypeOf(reply)).toBe('application/json');
  });
});

const textOf = ({ document: { text } }: ApiReply): string => String(text);

const addressesIn = (html: string): string[] =>
  [...html.matchAll(/<(?:link|script)[^>]* (?:src|href)="([^"]*)"/g)]
    .map(([, address = '']) => address)
    .filter((address) => !address.startsWith('data:'));

describe.each(['/docs', '/docs/'])('The page at %s', (page) => {
  it('names no other host', async () => {
    const html = textOf(await read(page)).replace(/<header>.*<\/header>/, '');

    expect(html).not.toMatch(/\/\//);
    expect(html).not.toMatch(/\sstyle=|\son\w+=/);
  });

  it('loads what is served beside it, each as what it is', async () => {
    const html = textOf(await read(page));
    // An emulator has a path of its own before that of the stage, which the gateway does not know.
    const loaded = addressesIn(html).map((address) => address.split('/docs/'));

    const replies = await Promise.all(loaded.map(([, name = '']) => read(`/docs/${name}`)));

    expect(loaded.every(([base = '']) => new URL(api).pathname.endsWith(base))).toBe(true);
    expect(replies.map((reply) => [reply.status, mediaTypeOf(reply)])).toEqual([
      [200, 'text/css; charset=utf-8'],
      [200, 'text/javascript; charset=utf-8'],
    ]);
  });
});

describe('What the page loads', () => {
  it('is styles whose pictures are within them', async () => {
    const styles = textOf(await read('/docs/swagger-ui.css'));

    const addresses = [...styles.matchAll(/url\(\s*["']?([^"')]{1,40})/g)].map(([, url]) => url);
    expect(addresses.length).toBeGreaterThan(0);
    expect(addresses.filter((url) => !url?.startsWith('data:'))).toEqual([]);
    expect(styles).not.toMatch(/@import/);
  });
});
