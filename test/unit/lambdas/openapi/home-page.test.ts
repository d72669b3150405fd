import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createHandler } from '../../../../lambdas/api/reference/get-home/handler.ts';
import { route } from '../../../../lambdas/api/reference/get-home/route.ts';
import { anApiEvent, call } from '../../../support/lambdas/api-gateway-events.ts';
import { RecordingLogger } from '../../../support/lambdas/recording-logger.ts';

const CONSOLE = new URL('https://console.example.com');

const readHome = (path: string, console: URL | null = CONSOLE) =>
  call(
    createHandler({ console: console ?? undefined, logger: new RecordingLogger() }),
    anApiEvent({ path, basePath: '', resource: route.path, authorizer: null }),
  );

const linksIn = (html: string, address: string): string[] =>
  [...html.matchAll(/<a href="([^"]*)"/g)].map(([, link = '']) => new URL(link, address).href);

describe('the page at the address of the API', () => {
  it('is HTML for anyone, which runs nothing and loads nothing', async () => {
    const { statusCode, headers, body } = await readHome('/');
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'Content-Type': 'text/html; charset=utf-8',
      'Referrer-Policy': 'no-referrer',
    });
    const [, style = ''] = /<style>(.*)<\/style>/s.exec(body) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(String(headers?.['Content-Security-Policy']).split('; ')).toEqual([
      "default-src 'none'",
      `style-src 'sha256-${hash}'`,
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(body).not.toMatch(/<script|\sstyle=|\son\w+=/);
  });

  it.each([
    ['/', 'http://127.0.0.1:4000/', 'http://127.0.0.1:4000'],
    ['/dev/', 'https://api.example.com/dev/', 'https://api.example.com/dev'],
    ['/dev', 'https://api.example.com/dev', 'https://api.example.com/dev'],
  ])('leads to the console and to what is served beside it, read at %s', async (path, at, base) => {
    const { body } = await readHome(path);
    expect(linksIn(body, at)).toEqual([
      'https://console.example.com/',
      `${base}/docs`,
      `${base}/openapi.json`,
    ]);
  });

  it('names no console in a stage without one', async () => {
    const { body } = await readHome('/', null);
    expect(linksIn(body, 'https://api.example.com/')).toEqual([
      'https://api.example.com/docs',
      'https://api.example.com/openapi.json',
    ]);
    expect(body).not.toContain('onsole');
  });
});
