import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startHttpServer } from 'local-aws/http-server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fencedBlocks } from '../../../tools/docs/markdown.ts';

const page = await readFile('docs/integrators/reconcile.md', 'utf8');
const [, resendLoop = ''] = fencedBlocks(page, 'sh');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reconcile-'));
  await writeFile(join(folder, 'reconcile.mjs'), fencedBlocks(page, 'js').join(''));
  await writeFile(join(folder, 'ids.txt'), '');
});
afterAll(() => rm(folder, { recursive: true }));

const deliveries = ['evt_1', 'evt_2', 'evt_3'].map(
  (event) => `/integrations/a/deliveries/${event}`,
);

const listed = {
  member: deliveries.map((id) => ({ id, outcome: 'delivered' })),
  view: {},
};

it('the page sends again what a limit refused, and names what cannot be sent', async () => {
  const calls: string[] = [];
  const refusedOnce = new Set<string>();
  const api = await startHttpServer({
    handle: ({ method, path }) => {
      calls.push(`${method} ${path.split('?')[0]}`);
      // A second is the shortest that curl waits. The event 2 has left the log.
      if (!path.includes('evt_2') && !refusedOnce.has(path)) {
        refusedOnce.add(path);
        const seconds = method === 'GET' ? '0' : '1';
        return { status: 429, headers: [['retry-after', seconds]], body: '' };
      }
      if (path.includes('evt_2')) return 404;
      return { status: 200, headers: [], body: method === 'GET' ? JSON.stringify(listed) : path };
    },
  });
  const variables = { API: api.origin, TOKEN: 'mst_1', HOOK: '/integrations/a' };
  const period = { SINCE: '2026-11-20T00:00:00Z', UNTIL: '2026-11-21T00:00:00Z' };

  const { stdout } = await promisify(execFile)('bash', ['-c', `sleep() { :; }\n${resendLoop}`], {
    cwd: folder,
    env: { ...process.env, ...variables, ...period },
  });

  await api.close();
  const [first, second, third] = deliveries.map((path) => `POST ${path}/resend`);
  const read = 'GET /integrations/a/deliveries';
  expect(calls).toEqual([read, read, first, first, second, third, third]);
  expect(stdout).toContain(`not sent: ${deliveries[1]}\n`);
  expect(stdout.match(/not sent/g)).toHaveLength(1);
});
