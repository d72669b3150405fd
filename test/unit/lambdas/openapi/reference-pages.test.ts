import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { ASSET_NAMES, docsAssets } from '../../../../lambdas/api/reference/get-docs/assets.ts';
import { createHandler } from '../../../../lambdas/api/reference/get-docs/handler.ts';
import { route } from '../../../../lambdas/api/reference/get-docs/route.ts';
import { createHandler as createAssetHandler } from '../../../../lambdas/api/reference/get-docs-asset/handler.ts';
import { route as assetRoute } from '../../../../lambdas/api/reference/get-docs-asset/route.ts';
import { anApiEvent, call } from '../../../support/lambdas/api-gateway-events.ts';
import { RecordingLogger } from '../../../support/lambdas/recording-logger.ts';

const SWAGGER_UI = { styles: 'main{}', script: 'let a;', licenses: 'Apache' };

const docs = (swaggerUi = SWAGGER_UI) =>
  createHandler({ assets: docsAssets(swaggerUi), logger: new RecordingLogger() });

const readPage = (path = '/docs', handler = docs()) =>
  call(handler, anApiEvent({ path, resource: route.path, authorizer: null }));

const readAsset = (asset: string) =>
  call(
    createAssetHandler({ assets: docsAssets(SWAGGER_UI), logger: new RecordingLogger() }),
    anApiEvent({
      path: `/docs/${asset}`,
      resource: assetRoute.path,
      pathParameters: { asset },
      authorizer: null,
    }),
  );

const addressesIn = (html: string): string[] =>
  [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address = '']) => address);

describe('the page of the API', () => {
  it('is HTML for anyone, which runs and loads nothing from elsewhere', async () => {
    const { statusCode, headers } = await readPage();
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({ 'Content-Type': 'text/html; charset=utf-8' });
    const policy = String(headers?.['Content-Security-Policy']).split('; ');
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
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
      'https://api.example.com/prod/docs/page.css',
      'https://api.example.com/prod/docs/start.js',
      'https://api.example.com/prod/docs/swagger-ui-bundle.js',
      'https://api.example.com/prod/docs/swagger-ui.css',
      'https://api.example.com/prod/openapi.json',
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
    expect([statusCode, body]).toEqual([200, text]);
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
    expect((await readAsset('start.js')).body).toContain('validatorUrl: null');
  });

  it('fits into an answer of a function', () => {
    const file = createRequire(import.meta.url).resolve('swagger-ui-dist/swagger-ui-bundle.js');
    const answer = JSON.stringify({ body: readFileSync(file, 'utf8') });
    expect(Buffer.byteLength(answer)).toBeLessThan(6_000_000);
  });
});
