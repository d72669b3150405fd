import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { ASSET_NAMES, docsAssets } from '../../../../lambdas/api/reference/docs-assets.ts';
import { START_SCRIPT } from '../../../../lambdas/api/reference/docs-page.ts';
import { getDocs, getDocsAsset, getHome } from '../../../../lambdas/api/reference/documents.ts';
import { anApiEvent, call } from '../../../support/lambdas/api-gateway-events.ts';
import { openApiDocument } from '../../../support/lambdas/openapi.ts';
import { RecordingLogger } from '../../../support/lambdas/recording-logger.ts';

const DEPS = {
  guides: () => ({ pages: [], navigation: '', files: {} }),
  console: undefined,
  logger: new RecordingLogger(),
};

const CONSOLE = new URL('https://console.example.com');

const readHome = (path: string, console: URL | null = CONSOLE) =>
  call(
    getHome.createHandler({ ...DEPS, console: console ?? undefined }),
    anApiEvent({ path, basePath: '', resource: getHome.route.path, authorizer: null }),
  );

/** The links in the page's main part. */
const linksIn = (html: string, address: string): string[] =>
  [...(/<main.*<\/main>/s.exec(html)?.[0] ?? '').matchAll(/<a href="([^"]*)"/g)].map(
    ([, link = '']) => new URL(link, address).href,
  );

/** The hash of an inline script or style, as a policy has it. */
const hashOf = (html: string, element: string): string => {
  const [, text = ''] = new RegExp(`<${element}>(.*)</${element}>`, 's').exec(html) ?? [];
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
};

describe('the page at the address of the API', () => {
  it('is HTML for anyone, with nothing from elsewhere', async () => {
    const { statusCode, headers, body } = await readHome('/');
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'Content-Type': 'text/html; charset=utf-8',
      'Referrer-Policy': 'no-referrer',
    });
    expect(String(headers?.['Content-Security-Policy']).split('; ')).toEqual([
      "default-src 'none'",
      `script-src 'self' ${hashOf(body, 'script')}`,
      `style-src 'self' ${hashOf(body, 'style')}`,
      "img-src 'self' data:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(body).not.toMatch(/\sstyle=|\son\w+=/);
  });

  it.each([
    ['/', 'http://127.0.0.1:4000/', 'http://127.0.0.1:4000'],
    ['/dev/', 'https://api.example.com/dev/', 'https://api.example.com/dev'],
    ['/dev', 'https://api.example.com/dev', 'https://api.example.com/dev'],
  ])('leads to the console and to what is served beside it, read at %s', async (path, at, base) => {
    const { body } = await readHome(path);
    expect(linksIn(body, at)).toEqual([
      'https://console.example.com/',
      `${base}/guides`,
      `${base}/docs`,
      `${base}/openapi.json`,
      `${base}/listen.mjs`,
      `${base}/problems`,
      `${base}/reasons`,
    ]);
  });

  it('names no console in a stage without one', async () => {
    const { body } = await readHome('/', null);
    expect(linksIn(body, 'https://api.example.com/')).toEqual([
      'https://api.example.com/guides',
      'https://api.example.com/docs',
      'https://api.example.com/openapi.json',
      'https://api.example.com/listen.mjs',
      'https://api.example.com/problems',
      'https://api.example.com/reasons',
    ]);
    expect(body).not.toContain('onsole');
  });
});

const SWAGGER_UI = { styles: 'main{}', script: 'let a;', licenses: 'Apache' };

const docs = (swaggerUi = SWAGGER_UI) =>
  getDocs.createHandler({ ...DEPS, assets: docsAssets(swaggerUi) });

const readPage = (path = '/docs', handler = docs()) =>
  call(
    handler,
    anApiEvent({ path, basePath: '/prod', resource: getDocs.route.path, authorizer: null }),
  );

const readAsset = (asset: string) =>
  call(
    getDocsAsset.createHandler({ ...DEPS, assets: docsAssets(SWAGGER_UI) }),
    anApiEvent({
      path: `/docs/${asset}`,
      resource: getDocsAsset.route.path,
      pathParameters: { asset },
      authorizer: null,
    }),
  );

const addressesIn = (html: string): string[] =>
  [...html.matchAll(/<(?:script|link)[^>]* (?:src|href)="([^"]*)"/g)].map(
    ([, address = '']) => address,
  );

describe('the page of the API', () => {
  it('is HTML for anyone, which runs and loads nothing from elsewhere', async () => {
    const { statusCode, headers } = await readPage();
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({ 'Content-Type': 'text/html; charset=utf-8' });
    const policy = String(headers?.['Content-Security-Policy']).split('; ');
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
      ]),
    );
    expect(policy.filter((directive) => /https?:|\*|unsafe-/.test(directive))).toEqual([]);
  });

  it.each([
    ['/docs', 'https://api.example.com/prod/docs'],
    ['/docs/', 'https://api.example.com/prod/docs/'],
  ])('loads what is served beside it, read at %s below a stage', async (path, address) => {
    const { body } = await readPage(path);
    const loaded = addressesIn(body)
      .filter((link) => !link.startsWith('data:'))
      .map((link) => new URL(link, address))
      .map(({ origin, pathname }) => origin + pathname);
    expect(loaded.toSorted()).toEqual([
      'https://api.example.com/prod/docs/swagger-ui-bundle.js',
      'https://api.example.com/prod/docs/swagger-ui.css',
    ]);
  });

  it('asks for other addresses when an asset has changed', async () => {
    const changed = docs({ ...SWAGGER_UI, styles: 'main{color:red}' });
    const [before, after] = await Promise.all([readPage(), readPage('/docs', changed)]);
    expect(addressesIn(after.body)).not.toEqual(addressesIn(before.body));
  });

  it.each([
    ['swagger-ui.css', 'text/css', 'main{}'],
    ['swagger-ui-bundle.js', 'text/javascript', 'let a;'],
    ['swagger-ui-bundle.js.LICENSE.txt', 'text/plain', 'Apache'],
  ])('has %s', async (name, mediaType, text) => {
    const { statusCode, headers, body } = await readAsset(name);
    expect(statusCode).toBe(200);
    expect(body?.startsWith(text)).toBe(true);
    expect(headers).toMatchObject({
      'Content-Type': `${mediaType}; charset=utf-8`,
      'Cache-Control': 'public, max-age=86400',
    });
  });

  it('has every asset it tells of, and no other', async () => {
    for (const name of ASSET_NAMES) expect((await readAsset(name)).statusCode).toBe(200);
    expect((await readAsset('index.html')).statusCode).toBe(404);
  });

  it('tells no validator of others where the API is', async () => {
    expect((await readAsset('swagger-ui-bundle.js')).body).toContain('validatorUrl: null');
  });

  it('fits into an answer of a function', () => {
    const file = createRequire(import.meta.url).resolve('swagger-ui-dist/swagger-ui-bundle.js');
    const answer = JSON.stringify({ body: readFileSync(file, 'utf8') });
    expect(Buffer.byteLength(answer)).toBeLessThan(6_000_000);
  });
});

const AT = 'https://api.example.com/prod';

interface Answer {
  readonly url: string;
  readonly ok: boolean;
  readonly text: string;
}

interface Options {
  readonly url: string;
  readonly responseInterceptor: (answer: Answer) => Answer;
  readonly onComplete: () => void;
}

/** Runs the script as the page at `AT` does, with a Swagger UI that notes what it is told. */
const started = ({ hash = '' } = {}) => {
  const shown: unknown[] = [];
  const bundles: Options[] = [];
  const system = {
    specSelectors: { specJson: () => ({ toJS: openApiDocument }) },
    layoutActions: { show: (what: unknown, isShown: boolean) => shown.push([what, isShown]) },
  };
  const classes = new Map<string, boolean>();
  runInNewContext(START_SCRIPT, {
    URL,
    location: { hash },
    matchMedia: () => ({ matches: true, addEventListener: () => undefined }),
    document: {
      currentScript: { src: `${AT}/docs/swagger-ui-bundle.js?v=1` },
      documentElement: {
        classList: { toggle: (name: string, isOn: boolean) => classes.set(name, isOn) },
      },
    },
    SwaggerUIBundle: (options: Options) => {
      bundles.push(options);
      return { getSystem: () => system };
    },
  });
  const [options] = bundles;
  if (options === undefined) throw new Error('Swagger UI is not started.');
  return { options, shown, classes };
};

describe('the page of the API, started', () => {
  it('shows the reference with the real address of the API as its server', () => {
    const { options } = started();
    const text = JSON.stringify({ openapi: '3.1.1', servers: [{ url: '.' }] });
    const answer = options.responseInterceptor({ url: options.url, ok: true, text });
    expect(options.url).toBe(`${AT}/openapi.json`);
    expect(JSON.parse(answer.text)).toEqual({ openapi: '3.1.1', servers: [{ url: AT }] });
  });

  it('leaves the answers of the API and a missing reference as they are', () => {
    const { options } = started();
    const ofACall = { url: `${AT}/acme/integrations`, ok: true, text: '{}' };
    const failed = { url: options.url, ok: false, text: 'Too Many Requests' };
    expect(options.responseInterceptor(ofACall)).toEqual(ofACall);
    expect(options.responseInterceptor(failed)).toEqual(failed);
  });

  it('is dark for a browser that prefers it', () => {
    expect(started().classes).toEqual(new Map([['dark-mode', true]]));
  });

  it('opens the operations of the first path', () => {
    const { options, shown } = started();
    options.onComplete();
    expect(shown).toEqual([
      [['operations', 'Integrations', 'createIntegration'], true],
      [['operations', 'Integrations', 'listIntegrations'], true],
    ]);
  });

  it('opens no other operation than its address names', () => {
    const { options, shown } = started({ hash: '#/Deliveries/listDeliveries' });
    options.onComplete();
    expect(shown).toEqual([]);
  });
});
