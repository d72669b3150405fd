import { execFile, spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLATFORM_ROLE } from '../../local/local-stage.ts';
import { fencedBlocks } from '../../tools/docs/markdown.ts';
import type { Customer } from '../support/journey/customer-of.ts';
import {
  assembleLocal,
  type SeparateRun,
  startSeparateRun,
} from '../support/journey/separate-run.ts';

/** In the project, whose packages the code imports. */
const FOLDER = '.local/console-links';

const python = process.env.TOOLS_PYTHON ?? 'python3';
const hasBotocore = spawnSync(python, ['-c', 'import botocore']).status === 0;

const LANGUAGES = [
  {
    language: 'js',
    command: process.execPath,
    file: 'link.mjs',
    main: 'if (process.argv[2]) console.log(await consoleLink(JSON.parse(process.argv[2])));',
  },
  {
    language: 'python',
    command: hasBotocore ? python : '',
    file: 'link.py',
    main: '\n\nimport sys\n\nprint(console_link(**json.loads(sys.argv[1])))',
  },
];

let separate: SeparateRun;
let customer: Customer;
let api: string;

beforeAll(async () => {
  const options = { consoleLinkRoles: PLATFORM_ROLE, consoleOrigin: 'https://console.example.com' };
  separate = await startSeparateRun(
    FOLDER,
    async (directory) => void assembleLocal(directory, options),
    { onFunctionFailure: (failure) => console.error('A function failed:', failure) },
  );
  api = separate.run.endpoints.api;
  customer = await separate.newCustomer();
  const page = await readFile('docs/operators/console-links.md', 'utf8');
  await mkdir(FOLDER, { recursive: true });
  for (const { language, file, main } of LANGUAGES) {
    await writeFile(`${FOLDER}/${file}`, fencedBlocks(page, language).join('') + main);
  }
});
afterAll(() => separate?.stop());

const envOf = (credentials = separate.run.endpoints.platform) => ({
  ...process.env,
  API_URL: api,
  AWS_REGION: separate.run.endpoints.region,
  AWS_ACCESS_KEY_ID: credentials?.accessKeyId,
  AWS_SECRET_ACCESS_KEY: credentials?.secretAccessKey,
});

/** Runs the code of the page, with the credentials of the platform or others. */
const linkBy = async (
  { command, file }: (typeof LANGUAGES)[number],
  user: string,
  credentials = separate.run.endpoints.platform,
): Promise<string> => {
  const given = JSON.stringify({ account: customer.account, user, role: 'admin' });
  const env = envOf(credentials);
  const { stdout } = await promisify(execFile)(command, [`${FOLDER}/${file}`, given], { env });
  return stdout.trim();
};

const newCode = async (user = 'Zoë Ω'): Promise<string> => {
  const [program] = LANGUAGES;
  if (program === undefined) throw new Error('There is no program.');
  return (await linkBy(program, user)).split('#code=')[1] ?? '';
};

const open = async (code: string) => {
  const answer = await fetch(`${api}/console-sessions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  return { status: answer.status, document: (await answer.json()) as Record<string, unknown> };
};

describe.each(LANGUAGES)('The code of docs/operators/console-links.md in $language', (program) => {
  const test = it.skipIf(program.command === '');

  test('makes a link that opens a session of the user', async () => {
    const user = `Zoë of ${program.language}`;
    const url = await linkBy(program, user);

    expect(url).toMatch(/^https:\/\/console\.example\.com\/[\w/-]*#code=mcl_[\w-]{43}$/);
    const { status, document } = await open(url.split('#code=')[1] ?? '');
    expect(status).toBe(201);
    const me = await customer.call('GET', '/me', { token: String(document.token) });
    expect(me.document).toMatchObject({ userName: user, role: 'admin' });
  });

  test('fails with credentials that are not the platform’s', async () => {
    const wrong = { accessKeyId: 'platform', secretAccessKey: 'guessed' };
    await expect(linkBy(program, 'Eve', wrong)).rejects.toThrow('404');
  });
});

describe('The code of docs/operators/signatures.md', () => {
  it('sets a signature, which the API then reads', async () => {
    const { user, tokens } = customer;
    const page = await readFile('docs/operators/signatures.md', 'utf8');
    const link = await readFile(`${FOLDER}/link.mjs`, 'utf8');
    const [code = ''] = fencedBlocks(page, 'js');
    const main = `await setSignature('${user}', 'Zoë, Acme');`;
    await writeFile(`${FOLDER}/signature.mjs`, [link, code, main].join('\n'));
    const read = async () =>
      (await customer.call('GET', `/users/${user}/signature`, { token: tokens.member })).document;

    await promisify(execFile)(process.execPath, [`${FOLDER}/signature.mjs`], { env: envOf() });
    expect(await read()).toMatchObject({ content: 'Zoë, Acme' });

    const curl = fencedBlocks(page, 'sh')[0]?.replaceAll('u_ada', user) ?? '';
    const shell = curl.replace(/ +-H "X-Amz-Security-Token: .*?"/, '');
    await promisify(execFile)('sh', ['-c', shell], { env: envOf() });
    expect(await read()).toMatchObject({ content: 'Ada, Acme Inc.' });
  });

  it('is none that a token may call', async () => {
    const { user, tokens } = customer;
    const call = { token: tokens.admin, body: { content: 'Eve' } };
    expect((await customer.call('PUT', `/users/${user}/signature`, call)).status).toBe(404);
  });
});

describe('A link to the console', () => {
  it('opens one session, of callers at the same time', async () => {
    const code = await newCode();
    const answers = await Promise.all(Array.from({ length: 5 }, () => open(code)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 403, 403, 403, 403]);
  });

  it.each(['member', 'admin'] as const)('is made for no token of role %s', async (role) => {
    const { account, tokens } = customer;
    const body = { user: 'Eve', role: 'admin' };
    const path = `/accounts/${account}/console-links`;
    const { status } = await customer.call('POST', path, { token: tokens[role], body });
    expect(status).toBe(404);
  });

  it('has a code that is no token, and leaves code and token out of the logs', async () => {
    const code = await newCode();
    expect((await customer.call('GET', '/me', { token: code })).status).toBe(401);
    const { document } = await open(code);
    const { account } = customer;
    await customer.call('GET', `/${account}/integrations`, { token: String(document.token) });

    const logs = await readdir(`${FOLDER}/logs`);
    const texts = await Promise.all(logs.map((name) => readFile(`${FOLDER}/logs/${name}`, 'utf8')));
    expect(texts.join('')).toContain('console_link.opened');
    for (const secret of [code, String(document.token)])
      expect(texts.join('')).not.toContain(secret);
  });
});
