import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { type HttpRequest, startHttpServer } from 'local-aws/http-server.ts';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwbpxhT2ZqSLM=';
const PROGRAM = 'lambdas/api/reference/listen.mjs';

type Accepts = (request: Pick<HttpRequest, 'headers' | 'body'>) => boolean;

const hex = (body: Buffer | string): string =>
  createHmac('sha256', SECRET).update(body).digest('hex');

/** A receiver that verifies X-Service-Signature over what it takes for the body. */
const over =
  (bodyOf: (body: Buffer) => Buffer | string = (body) => body): Accepts =>
  ({ headers, body }) =>
    headers['x-service-signature'] === hex(bodyOf(body));

const whole = over();

const inLibrary: Accepts = ({ headers, body }) => {
  try {
    new Webhook(SECRET).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
};

/** A receiver that verifies webhook-signature with a clock that agrees with every sender. */
const withoutClock: Accepts = ({ headers, body }) => {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': given } = headers;
  const right = new Webhook(SECRET).sign(String(id), new Date(Number(timestamp) * 1_000), body);
  return String(given).split(' ').includes(right);
};

const withoutRepeats = (): Accepts => {
  const known = new Set<string>();
  return (request) => {
    const { id } = JSON.parse(request.body.toString());
    return whole(request) && !known.has(id) && known.add(id).size > 0;
  };
};

/** Runs the check of a receiver: what it names as wrong. */
const check = async (scheme: string, accepts: Accepts) => {
  const server = await startHttpServer({ handle: (request) => (accepts(request) ? 204 : 401) });
  const words = [PROGRAM, '--to', `${server.origin}/hooks`, '--check', scheme];
  const child = spawn(process.execPath, words, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, WEBHOOK_SECRET: SECRET },
  });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  await server.close();
  const lines = output.trimEnd().split('\n');
  const wrong = lines.filter((line) => line.startsWith('WRONG'));
  return { code, count: lines.length, wrong: wrong.map((line) => line.replace(/^.*?: /, '')) };
};

const FORGED = [
  'another body',
  'a line feed after the body',
  'a signature by another secret',
  'a shorter signature',
  'an empty signature',
  'no signature',
];
const OLD_OR_EARLY = [
  'a webhook-timestamp of ten minutes ago',
  'a webhook-timestamp in ten minutes',
];

describe.concurrent('node listen.mjs --check', () => {
  it.each<[string, string, number, Accepts]>([
    ['X-Service-Signature', 'service', 10, whole],
    ['webhook-signature with the stock library', 'standard', 14, inLibrary],
  ])('finds nothing wrong with a receiver that verifies %s', async (_, scheme, count, accepts) => {
    expect(await check(scheme, accepts)).toEqual({ code: 0, count, wrong: [] });
  });

  it.each<[string, string, readonly string[], Accepts]>([
    ['accepts everything', 'service', FORGED, () => true],
    [
      'accepts everything',
      'standard',
      [...FORGED, 'another webhook-id', ...OLD_OR_EARLY],
      () => true,
    ],
    [
      'serialises the body anew',
      'service',
      ['numbers that a double does not hold', 'a line feed after the body'],
      over((body) => JSON.stringify(JSON.parse(body.toString()))),
    ],
    [
      'reads the body as Latin-1',
      'service',
      ['emoji and right-to-left text'],
      over((body) => body.toString('latin1')),
    ],
    [
      'compares as much as it was given',
      'service',
      ['a shorter signature', 'an empty signature'],
      ({ headers, body }) => hex(body).startsWith(String(headers['x-service-signature'])),
    ],
    [
      'verifies only what is signed',
      'service',
      ['no signature'],
      (request) => request.headers['x-service-signature'] === undefined || whole(request),
    ],
    ['refuses repetitions', 'service', ['the same event again'], withoutRepeats()],
    ['does not look at the time', 'standard', OLD_OR_EARLY, withoutClock],
    [
      'looks at one signature alone',
      'standard',
      ['the second signature of a rotation'],
      ({ headers, body }) => {
        const [first = ''] = String(headers['webhook-signature']).split(' ');
        return inLibrary({ headers: { ...headers, 'webhook-signature': first }, body });
      },
    ],
  ])('names the fault of a receiver that %s (%s)', async (_, scheme, wrong, accepts) => {
    expect(await check(scheme, accepts)).toMatchObject({ code: 1, wrong });
  });

  it('refuses the name of another scheme', async () => {
    const words = [PROGRAM, '--to', 'http://localhost:1/', '--check', 'toString'];
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'pipe'] });
    const [fault, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);

    expect([code, fault.split('\n')[0]]).toEqual([2, '--check must be service or standard.']);
  });

  it('names a receiver that does not answer', async () => {
    const server = await startHttpServer({ handle: () => 204 });
    await server.close();
    const child = spawn(
      process.execPath,
      [PROGRAM, '--to', server.origin, '--check', 'service', '--secret', SECRET],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    );

    expect(await text(child.stdout)).toContain('expected 2xx, answered ECONNREFUSED: an event\n');
  });
});
