import { request } from 'node:http';
import type { ListeningServer } from 'local-aws/http-server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmbeddingPlatform } from '../../../local/console/embedding-platform.ts';

const LINK = 'http://localhost:4080/#code=mcl_1';

describe('the platform that embeds the console', () => {
  let platform: ListeningServer;
  beforeAll(async () => {
    const links = Promise.resolve({ newLink: async () => LINK });
    platform = await startEmbeddingPlatform({ port: 0, links });
  });
  afterAll(() => platform.close());

  it('frames a link, which no cache keeps, and no other origin', async () => {
    const answer = await fetch(`${platform.origin}/webhooks`);

    expect(await answer.text()).toContain(`<iframe title="Webhooks" src="${LINK}"`);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('content-security-policy')).toContain(
      "; frame-src http://localhost:4080; form-action 'self'; frame-ancestors 'none'",
    );
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
