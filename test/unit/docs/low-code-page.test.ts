import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { type HttpRequest, type ListeningServer, startHttpServer } from 'local-aws/http-server.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fencedBlocks } from '../../../tools/docs/markdown.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwbpxhT2ZqSLM=';
const ID = '/integrations/8Fq2LmZ0aBcD/deliveries/evt_01';
const BODY = JSON.stringify({
  id: ID,
  action: 'message.received',
  timestamp: '2026-11-20T12:00:00.000Z',
  data: { message: { body: 'Grüße 👋' } },
});
const ROW = [ID, 'message.received', '2026-11-20T12:00:00.000Z', '{"message":{"body":"Grüße 👋"}}'];

/** A sheet, and the services of Google that the script calls. */
const createSheet = (script: string) => {
  const rows: string[][] = [];
  const sheet = {
    createTextFinder: (text: string) => ({
      matchEntireCell: () => ({ findNext: () => rows.find((row) => row.includes(text)) }),
    }),
    appendRow: (row: string[]) => {
      if (row.some((cell) => cell.length > 50_000)) throw new Error('too many characters');
      rows.push([...row]);
    },
  };
  const google = createContext({
    ContentService: { createTextOutput: (text: string) => text },
    LockService: { getScriptLock: () => ({ waitLock: () => {}, releaseLock: () => {} }) },
    PropertiesService: { getScriptProperties: () => ({ getProperty: () => 'a token' }) },
    SpreadsheetApp: {
      getActiveSpreadsheet: () => ({ getSheetByName: () => sheet }),
      flush: () => {},
    },
  });
  runInContext(script, google);
  return { rows, doPost: google.doPost as (event: object) => string };
};

/** A web app of Apps Script: the answer of the script is behind a redirect, for GET alone. */
const startWebApp = async (script: string) => {
  const { rows, doPost } = createSheet(script);
  let output = '';
  const run = ({ query, body }: HttpRequest): string => {
    try {
      const parameter = Object.fromEntries(query);
      return doPost({ parameter, postData: { contents: body.toString() } });
    } catch (fault) {
      return `<html>${fault}</html>`;
    }
  };
  const server = await startHttpServer({
    handle: (request) => {
      const isEcho = request.path === '/echo';
      if (isEcho !== (request.method === 'GET')) return { status: 405, headers: [], body: '' };
      if (isEcho) return { status: 200, headers: [], body: output };
      output = run(request);
      return { status: 302, headers: [['Location', '/echo']], body: '' };
    },
  });
  return { server, rows };
};

const sign = (body: string): string => createHmac('sha256', SECRET).update(body).digest('hex');

describe('The relay of docs/integrators/low-code.md', () => {
  let folder: string;
  let google: { server: ListeningServer; rows: string[][] };
  let relays: ChildProcess[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'relay-'));
    const page = await readFile('docs/integrators/low-code.md', 'utf8');
    const [script = ''] = fencedBlocks(page, 'js');
    const [relay = ''] = fencedBlocks(page, 'mjs');
    await writeFile(join(folder, 'relay.mjs'), relay);
    google = await startWebApp(script);
  });
  afterEach(async () => {
    for (const relay of relays) relay.kill();
    relays = [];
    await google.server.close();
    await rm(folder, { recursive: true });
  });

  const startRelay = async (token: string) => {
    const program = spawn(process.execPath, [join(folder, 'relay.mjs')], {
      env: {
        ...process.env,
        PORT: '0',
        WEBHOOK_SECRET: SECRET,
        SCRIPT_URL: `${google.server.origin}/exec?token=${encodeURIComponent(token)}`,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    relays.push(program);
    const [line] = await once(program.stdout, 'data');
    const address = `http://127.0.0.1:${/port (\d+)/.exec(`${line}`)?.[1]}/`;
    return async (body: string, signature = sign(body)) => {
      const headers = { 'X-Service-Signature': signature };
      return (await fetch(address, { method: 'POST', headers, body })).status;
    };
  };

  it('confirms an event that the script stores, once', async () => {
    const post = await startRelay('a token');

    expect([await post(BODY), await post(BODY)]).toEqual([204, 204]);
    expect(google.rows).toEqual([ROW]);
  });

  it('refuses what is forged or too large, and runs no script', async () => {
    const post = await startRelay('a token');

    expect([await post(BODY, sign('{}')), await post(BODY, ''), await post(BODY, 'x')]).toEqual([
      401, 401, 401,
    ]);
    expect(await post('x'.repeat(262_145))).toBe(413);
    expect(google.rows).toEqual([]);
  });

  it('asks for another attempt while the script does not store', async () => {
    const data = { text: 'x'.repeat(50_000) };
    const post = await startRelay('a token');
    const postAsAnother = await startRelay('another token');

    expect(await post(JSON.stringify({ ...JSON.parse(BODY), data }))).toBe(504);
    expect(await post('not JSON')).toBe(504);
    expect(await postAsAnother(BODY)).toBe(504);
    await google.server.close();
    expect(await post(BODY)).toBe(504);
    expect(google.rows).toEqual([]);
  });
});
