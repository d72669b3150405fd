import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fencedBlocks } from '../../../tools/docs/markdown.ts';
import { postUnsigned } from '../../support/receivers/posts.ts';

const SECRET = 'whsec_c2VjcmV0IG9mIHRoZSByZWNlaXZlcg==';
const BODY = Buffer.from('{"id":"/integrations/8Fq2LmZ0aBcD/deliveries/evt_1"}');
const signed = (body: Buffer) => ({
  'x-service-signature': createHmac('sha256', SECRET).update(body).digest('hex'),
});

describe('the receiver of docs/integrators/answer-fast.md', () => {
  let folder = '';
  let program: ChildProcess;
  let address = '';
  let db: DatabaseSync;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'receiver-'));
    const page = await readFile('docs/integrators/answer-fast.md', 'utf8');
    await writeFile(join(folder, 'receiver.mjs'), fencedBlocks(page, 'js').join(''));
    program = spawn(process.execPath, ['receiver.mjs'], {
      cwd: folder,
      env: { ...process.env, PORT: '0', WEBHOOK_SECRET: SECRET },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(program.stdout ?? program, 'data');
    address = `http://127.0.0.1:${/port (\d+)/.exec(`${line}`)?.[1]}/hooks`;
    db = new DatabaseSync(join(folder, 'inbox.db'));
  });
  afterEach(async () => {
    program.kill();
    db.close();
    await rm(folder, { recursive: true });
  });

  const post = async (headers: Record<string, string>, body: Uint8Array<ArrayBuffer> = BODY) =>
    (await fetch(address, { method: 'POST', headers, body })).status;

  it('stores a delivery once, and confirms it each time', async () => {
    expect([await post(signed(BODY)), await post(signed(BODY))]).toEqual([204, 204]);
    expect(db.prepare('SELECT id, body, done_at FROM inbox').all()).toEqual([
      { id: JSON.parse(`${BODY}`).id, body: `${BODY}`, done_at: null },
    ]);
  });

  it('rejects a wrong or missing signature, and stores nothing', async () => {
    expect([await post(signed(Buffer.from('{}'))), await post({})]).toEqual([401, 401]);
    expect(db.prepare('SELECT id FROM inbox').all()).toEqual([]);
  });

  it('refuses more bytes than the service sends before they end', async () => {
    const { port, pathname: path } = new URL(address);
    const headers = [['Transfer-Encoding', 'chunked']] as const;
    const body = Buffer.alloc(262_145);

    expect(await postUnsigned(Number(port), { path, headers, body, ends: false })).toBe(413);
  });

  it('asks with 504 for another attempt when it cannot store', async () => {
    db.exec('DROP TABLE inbox');

    expect(await post(signed(BODY))).toBe(504);
  });
});

describe('the statements of docs/integrators/duplicates-and-order.md', async () => {
  const page = await readFile('docs/integrators/duplicates-and-order.md', 'utf8');
  const [handled = '', handle = '', contacts = '', change = ''] = fencedBlocks(page, 'sql');

  it('insert a delivery once', () => {
    const db = new DatabaseSync(':memory:');
    db.exec(handled);
    const runs = ['a', 'a', 'b'].map((id) => db.prepare(handle).run({ id }));

    expect(runs.map(({ changes }) => changes)).toEqual([1, 0, 1]);
  });

  it('keep the newest state, in whatever order events arrive', () => {
    const db = new DatabaseSync(':memory:');
    db.exec(contacts);
    const states = (
      [
        [1, '2026-11-20T12:00:01.000Z'],
        [0, '2026-11-20T12:00:00.000Z'],
        [0, '2026-11-20T12:00:02.000Z'],
      ] as const
    ).map(([optedOut, timestamp]) => {
      const event: Record<string, SQLInputValue> = { id: 'c_1', opted_out: optedOut, timestamp };
      db.prepare(change).run(event);
      return db.prepare('SELECT opted_out FROM contacts').get()?.opted_out;
    });

    expect(states).toEqual([1, 1, 0]);
  });
});
