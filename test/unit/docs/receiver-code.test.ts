import { createHmac } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fencedBlocks } from '../../../tools/docs/markdown.ts';

const SECRET = 'whsec_c2VjcmV0IG9mIHRoZSByZWNlaXZlcg==';
const BODY = Buffer.from('{"id":"/integrations/8Fq2LmZ0aBcD/deliveries/evt_1"}');
const signed = (body: Buffer) => ({
  'x-service-signature': createHmac('sha256', SECRET).update(body).digest('hex'),
});

/** Stands for the code of the page about signatures. */
const VERIFY = `import { createHmac } from 'node:crypto';
export const isAuthentic = (body, signature, secret) =>
  createHmac('sha256', secret).update(body).digest('hex') === signature;`;

type Receive = (rawBody: Buffer, headers: Record<string, string>, secret: string) => number;

describe('the receiver of docs/integrators/answer-fast.md', () => {
  let folder = '';
  let receive: Receive;
  let db: DatabaseSync;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'receiver-'));
    const [code = ''] = fencedBlocks(
      await readFile('docs/integrators/answer-fast.md', 'utf8'),
      'js',
    );
    const file = join(folder, 'inbox.db');
    await writeFile(join(folder, 'verify.js'), VERIFY);
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await writeFile(join(folder, 'receive.js'), code.replace('inbox.db', file));
    ({ receive } = await import(pathToFileURL(join(folder, 'receive.js')).href));
    db = new DatabaseSync(file);
  });
  afterEach(async () => {
    db.close();
    await rm(folder, { recursive: true });
  });

  it('stores a delivery once, and confirms it each time', () => {
    expect([1, 2].map(() => receive(BODY, signed(BODY), SECRET))).toEqual([204, 204]);
    expect(db.prepare('SELECT id, body, done_at FROM inbox').all()).toEqual([
      { id: JSON.parse(`${BODY}`).id, body: `${BODY}`, done_at: null },
    ]);
  });

  it('rejects a request with a wrong signature, or with none, and stores nothing', () => {
    const other = signed(Buffer.from('{}'));

    expect([other, {}].map((headers) => receive(BODY, headers, SECRET))).toEqual([401, 401]);
    expect(db.prepare('SELECT id FROM inbox').all()).toEqual([]);
  });

  it('asks with 504 for another attempt when it cannot store', () => {
    db.exec('DROP TABLE inbox');

    expect(receive(BODY, signed(BODY), SECRET)).toBe(504);
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
