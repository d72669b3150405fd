import { once } from 'node:events';
import { access, readFile, stat } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../../admin/connection.ts';
import { chooseTarget } from '../../admin/target.ts';
import { EVENT_TYPES } from '../../core/event/event-types.ts';
import type { StartEndpoints } from '../../local/demo/guide.ts';
import {
  asShown,
  expectInOrder,
  paste,
  piecesOf,
  stepsOf,
} from '../support/journey/pasted-steps.ts';
import {
  type StartedRun,
  signInToConsole,
  startInVain,
  startRun,
} from '../support/journey/started-run.ts';

const STATE_DIRECTORY = '.local/start';

const endpointsFile = `${STATE_DIRECTORY}/endpoints.json`;
const playgroundScript = `${STATE_DIRECTORY}/playground.sh`;

const endpointsOfRun = async (): Promise<StartEndpoints> =>
  JSON.parse(await readFile(endpointsFile, 'utf8'));

let run: StartedRun;
beforeAll(async () => {
  run = await startRun(STATE_DIRECTORY);
});
afterAll(() => void run?.process.kill('SIGKILL'));

describe('npm start', () => {
  it('says first of all which page to open, and with whom to sign in', async () => {
    const { console: origin, consoleUsers } = await endpointsOfRun();
    const [first, , ...lines] = run.output.split('\n');

    expect(first).toBe(`Open ${origin} and sign in as:`);
    expect(lines.slice(0, consoleUsers.length)).toEqual(
      consoleUsers.map(
        ({ username, password, account, role }) =>
          `  ${username}  ${password}  ${role} of ${account}`,
      ),
    );
  });

  it('shows a delivery of each event type, verified by both signatures', () => {
    const lines = run.output.split('\n');
    const verified = lines.filter((line) => line.match(/✓ verified/g)?.length === 2);

    expect(verified).toHaveLength(EVENT_TYPES.length);
    expect(run.output).toMatch(/^ready in \d+\.\d s$/m);
  });

  it('shows the e-mail to the admin about the webhook that failed', async () => {
    const { console: origin, playground } = await endpointsOfRun();
    const { host } = new URL(playground);
    const mail = `E-mail to ada@acme.example: Webhook ${host}/… (`;
    const [, subject] =
      run.output
        .split(mail)[1]
        ?.match(/^(\w{12}\) failed: your endpoint answered 500 \(Internal Server Error\))\n/) ?? [];

    expect(subject).toBeDefined();
    expect(await (await fetch(`${origin}/mailbox`)).text()).toContain(
      `<h2>Webhook ${host}/… (${subject}</h2>`,
    );
  });

  it('links each e-mail to pages that open without its certificates', async () => {
    const { console: origin } = await endpointsOfRun();
    const mails = await (await fetch(`${origin}/mailbox`)).text();
    const links = new Set(
      [...mails.matchAll(/href=&quot;(.*?)&quot;/g)].map(([, link = '']) => link),
    );

    expect(links.size).toBeGreaterThanOrEqual(3);
    for (const link of links) expect([link, (await fetch(link)).status]).toEqual([link, 200]);
  });

  it('writes where everything is, for its owner alone', async () => {
    const endpoints = await endpointsOfRun();

    expect(Object.keys(endpoints).sort()).toEqual(
      ['account', 'adminToken', 'api', 'aws', 'caFile', 'certFile', 'eventsQueueUrl']
        .concat([
          'keyFile',
          'memberToken',
          'platform',
          'platformPage',
          'playground',
          'region',
          'user',
        ])
        .concat(['console', 'consoleUsers'])
        .sort(),
    );
    expect(endpoints.consoleUsers).toEqual([
      { username: 'ada', password: expect.any(String), account: 'acme', role: 'admin' },
      { username: 'bob', password: expect.any(String), account: 'acme-sms', role: 'member' },
    ]);
    for (const file of [endpointsFile, playgroundScript]) {
      expect((await stat(file)).mode & 0o777).toBe(0o600);
    }
    const { status } = await fetch(`${endpoints.api}/users/${endpoints.user}/signature`, {
      headers: { Authorization: `Bearer ${endpoints.memberToken}` },
    });
    expect(status).toBe(200);
  });
});

describe('the console of npm start', () => {
  const signIn = async (username: string) => signInToConsole(await endpointsOfRun(), username);

  it('is the built page, and knows the API of this run', async () => {
    const { api, console: origin } = await endpointsOfRun();

    expect(await (await fetch(`${origin}/accounts`)).text()).toContain('<script type="module"');
    expect(await (await fetch(`${origin}/config.json`)).json()).toMatchObject({ api });
  });

  it('shows a webhook that works, and one that failed and why', async () => {
    const { playground } = await endpointsOfRun();
    const shown = await (await signIn('ada')).integrations();

    expect(shown.map(({ status, config }) => [config.baseUrl, status]).sort()).toEqual([
      [`${playground}/hooks/failing`, 'failed'],
      [`${playground}/hooks/working`, 'active'],
    ]);
    expect(shown.flatMap(({ failure }) => failure ?? [])).toMatchObject([{ statusCode: 500 }]);
  });

  it('may call the API from its pages', async () => {
    const { api, console: origin } = await endpointsOfRun();
    const ada = await signIn('ada');
    const answer = await ada.call('/acme/integrations');
    const preflight = await fetch(`${api}/acme/integrations`, { method: 'OPTIONS' });

    for (const { headers } of [answer, preflight]) {
      expect(headers.get('access-control-allow-origin')).toBe(origin);
    }
  });

  it('has a member, who sees what the admin sees and changes nothing', async () => {
    const bob = await signIn('bob');
    const shown = await bob.integrations();

    expect(shown).toEqual(await (await signIn('ada')).integrations());
    for (const { id } of shown) expect((await bob.call(id, 'DELETE')).status).toBe(403);
  });

  it('leaves a removed user without access', async () => {
    const endpoints = await endpointsOfRun();
    const { administration } = connect(chooseTarget('local', {}, endpoints));
    await (await administration()).removeUser('u_bob');
    const bob = await signIn('bob');

    expect((await bob.call('/acme/integrations')).status).toBe(401);
  });
});

const page = await readFile('docs/getting-started.md', 'utf8');
const steps = stepsOf(page).map((step, at) => ({ ...step, at }));
const shownSteps = steps.filter(({ shown }) => shown.length > 0);

/** The output of all steps, more than the page shows. */
const WAY = [
  { '@type': 'Integration', config: { webhookSecret: 'whsec_…' } },
  { '@type': 'WebhookTest', attempt: { outcome: 'delivered' } },
  'authentic: …',
  { '@type': 'Integration', status: 'failed', failure: { statusCode: 500 } },
  { '@type': 'Collection', member: [{ outcome: 'fatal', latestAttempt: { statusCode: 500 } }] },
  { '@type': 'Delivery', outcome: 'fatal', attempts: [{ outcome: 'fatal', statusCode: 500 }] },
  { '@type': 'Collection', totalItems: 4 },
  { '@type': 'Retry', result: 'recovered' },
  { '@type': 'Collection', totalItems: 0, member: [] },
  { '@type': 'Collection', totalItems: 2 },
  { '@type': 'Recovery', status: 'active' },
  { '@type': 'Delivery', outcome: 'delivered', isPending: false },
  { '@type': 'Delivery', outcome: 'delivered' },
].map((piece) => asShown(typeof piece === 'string' ? piece : JSON.stringify(piece)));

describe('docs/getting-started.md, pasted beside npm start', () => {
  let printed: readonly (readonly unknown[])[] = [];
  beforeAll(async () => {
    const ofThisRun = steps.map((step) => ({
      ...step,
      lines: step.lines.replace('. .local/', `. ${STATE_DIRECTORY}/`),
    }));
    printed = (await paste(ofThisRun)).map(piecesOf);
  });

  it.each(shownSteps)('prints what it shows: $heading', ({ at, shown }) => {
    expectInOrder(printed[at] ?? [], shown.map(asShown));
  });

  it('registers a webhook, lets it fail twice, and loses no event', () => {
    expectInOrder(printed.flat(), WAY);
  });

  it('sends an event again with the same id and the same body', () => {
    const [again, before] = printed.flat().flatMap(requestsIn);

    expect(again?.headers['webhook-id']).toMatch(/^\/integrations\/\w{12}\/deliveries\/evt_1$/);
    expect(again?.headers['webhook-id']).toBe(before?.headers['webhook-id']);
    expect(again?.body).toBe(before?.body);
  });
});

interface Arrived {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const requestsIn = (piece: unknown): readonly Arrived[] =>
  (piece as { requests?: readonly Arrived[] }).requests ?? [];

describe('another npm start', () => {
  it('says no in the folder of the first, which stays as it is', async () => {
    const before = await readFile(endpointsFile, 'utf8');
    const { code, output, errors } = await startInVain(STATE_DIRECTORY);

    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(errors).toMatch(
      /^error: Another run uses the folder .local\/start: .*--state-directory.*\n$/,
    );
    expect(await readFile(endpointsFile, 'utf8')).toBe(before);
  });

  it.each([
    ['--port', ({ api }: StartEndpoints) => api],
    ['--aws-port', ({ aws }: StartEndpoints) => aws],
    ['--console-port', ({ console: origin }: StartEndpoints) => origin],
    ['--platform-port', ({ platformPage }: StartEndpoints) => platformPage],
    ['--playground-port', ({ playground }: StartEndpoints) => playground],
  ])('says nothing but that a port is taken, and names the option: %s', async (option, origin) => {
    const { port } = new URL(origin(await endpointsOfRun()));
    const { code, output, errors } = await startInVain(`${STATE_DIRECTORY}-again`, option, port);

    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(errors).toBe(`error: Port ${port} is already taken: choose another with ${option}.\n`);
  });
});

describe('npm start, at its end', () => {
  it('stops cleanly on Ctrl-C', async () => {
    const exited = once(run.process, 'exit');
    run.process.kill('SIGINT');

    expect(await exited).toEqual([0, null]);
    await expect(access(endpointsFile)).rejects.toThrow();
    await expect(access(playgroundScript)).rejects.toThrow();
  });
});
