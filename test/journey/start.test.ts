import { once } from 'node:events';
import { access, readFile, stat } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paste, stepsOf } from '../support/journey/pasted-steps.ts';
import { asShown, expectInOrder, piecesOf } from '../support/journey/shown-output.ts';
import { type StartedRun, startRun } from '../support/journey/started-run.ts';

const STATE_DIRECTORY = '.local/start';

const endpointsFile = `${STATE_DIRECTORY}/endpoints.json`;
const playgroundScript = `${STATE_DIRECTORY}/playground.sh`;

let run: StartedRun;
beforeAll(async () => {
  run = await startRun(STATE_DIRECTORY);
});
afterAll(() => void run?.process.kill('SIGKILL'));

describe('npm start', () => {
  it('shows eight deliveries, each verified by both signatures, and then that it is ready', () => {
    const lines = run.output.split('\n');
    const verified = lines.filter((line) => line.match(/✓ verified/g)?.length === 2);

    expect(verified).toHaveLength(8);
    expect(run.output).toMatch(/^ready in \d+\.\d s$/m);
  });

  it('writes where everything is, for its owner alone', async () => {
    const endpoints = JSON.parse(await readFile(endpointsFile, 'utf8'));

    expect(Object.keys(endpoints).sort()).toEqual(
      ['account', 'adminToken', 'api', 'aws', 'caFile', 'certFile', 'eventsQueueUrl']
        .concat(['keyFile', 'memberToken', 'playground', 'region', 'user'])
        .sort(),
    );
    for (const file of [endpointsFile, playgroundScript]) {
      expect((await stat(file)).mode & 0o777).toBe(0o600);
    }
    const { status } = await fetch(`${endpoints.api}/users/${endpoints.user}/signature`, {
      headers: { Authorization: `Bearer ${endpoints.memberToken}` },
    });
    expect(status).toBe(200);
  });
});

const page = await readFile('docs/ten-minutes.md', 'utf8');
const steps = stepsOf(page).map((step, at) => ({ ...step, at }));
const shownSteps = steps.filter(({ shown }) => shown.length > 0);

/** What the steps print, whatever the page shows of it. */
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

describe('docs/ten-minutes.md, pasted beside npm start', () => {
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

describe('npm start, at its end', () => {
  it('stops cleanly on Ctrl-C', async () => {
    const exited = once(run.process, 'exit');
    run.process.kill('SIGINT');

    expect(await exited).toEqual([0, null]);
    await expect(access(endpointsFile)).rejects.toThrow();
    await expect(access(playgroundScript)).rejects.toThrow();
  });
});
