import { request } from 'node:http';
import type { ListeningServer } from 'local-aws/http-server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmbeddingPlatform } from '../../../local/console/embedding-platform.ts';

const LINK = 'http://localhost:4080/?theme=light#code=mcl_1';

describe('the platform that embeds the console', () => {
  let platform: ListeningServer;
  beforeAll(async () => {
    const newLink = async (page = '/'): Promise<string> => {
      if (page === '//evil.example') throw new Error('No link to the console: 422.');
      return `http://localhost:4080${page}#code=mcl_1`;
    };
    const links = Promise.resolve({ newLink });
    platform = await startEmbeddingPlatform({ port: 0, links });
  });
  afterAll(() => platform.close());

  it('frames a link, which no cache keeps, and no other origin', async () => {
    const answer = await fetch(`${platform.origin}/webhooks`);

    expect(await answer.text()).toContain(` src="${LINK}"`);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('content-security-policy')).toContain(
      "; frame-src http://localhost:4080; form-action 'self'; frame-ancestors 'none'",
    );
  });

  it('frames the page that the console has led from, if it is one', async () => {
    const shown = async (page: string) =>
      (await fetch(`${platform.origin}/webhooks?page=${encodeURIComponent(page)}`)).text();

    expect(await shown('/event-types?a=b')).toContain(
      'src="http://localhost:4080/event-types?a=b&amp;theme=light#',
    );
    expect(await shown('//evil.example')).toContain(`src="${LINK}"`);
  });

  it('gives the frame another name each time, so that no browser restores its address', async () => {
    const name = async () => {
      const html = await (await fetch(`${platform.origin}/webhooks`)).text();
      return /<iframe [^>]*name="([^"]+)"/.exec(html)?.[1];
    };

    expect(await name()).toMatch(/^[\w-]{36}$/);
    expect(await name()).not.toBe(await name());
  });

  it('makes no link under a name that others may point to this machine', async () => {
    const status = await new Promise((resolve, reject) => {
      const headers = { host: 'attacker.example' };
      request(`${platform.origin}/webhooks`, { headers }, ({ statusCode }) => resolve(statusCode))
        .on('error', reject)
        .end();
    });

    expect(status).toBe(421);
  });
});
