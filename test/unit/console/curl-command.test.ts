import { execFile } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { startHttpServer } from 'local-aws/http-server.ts';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { curlCommand } from '../../../packages/console/src/pages/webhook/curl-command.ts';

const ID = '/integrations/8Fq2LmZ0aBcD/deliveries/evt_1';
const LARGE = `{"id":"${ID}","text":"it's $HOME \`id\` %s \\\\n 😀 ${'x'.repeat(200_000)}"}`;

const sentBy = async (command: string, secret: string) => {
  const received: { headers: Record<string, string>; body: string }[] = [];
  const server = await startHttpServer({
    handle: ({ headers, body }) => {
      received.push({ headers: headers as Record<string, string>, body: body.toString() });
      return 204;
    },
  });
  // As pasted: from the standard input of a shell.
  const shell = promisify(execFile)('sh', [], {
    env: { ...process.env, TO: server.origin, WEBHOOK_SECRET: secret },
  });
  shell.child.stdin?.end(command);
  await shell;
  await server.close();
  return received;
};

it.each([
  ['a secret of the service', `whsec_${randomBytes(32).toString('base64')}`],
  ['another secret', "a secret with spaces and 'quotes'"],
])('The command for curl sends the body as it was, signed by %s', async (_, secret) => {
  const command = curlCommand({ id: `/prod${ID}` }, LARGE);

  const [{ headers, body } = { headers: {}, body: '' }, ...more] = await sentBy(command, secret);

  expect(more).toEqual([]);
  expect(body === LARGE).toBe(true);
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-id': ID,
    'x-service-signature': createHmac('sha256', secret).update(LARGE).digest('hex'),
  });
  const format = secret.startsWith('whsec_') ? {} : { format: 'raw' as const };
  expect(() => new Webhook(secret, format).verify(body, headers)).not.toThrow();
});

it('The command for curl has short lines of printable ASCII alone', () => {
  const controls = Array.from({ length: 0xa0 }, (_, code) => String.fromCodePoint(code));

  const command = curlCommand({ id: ID }, `${LARGE}${controls.join('')}`);

  expect(command).toMatch(/^(?:[\x20-\x7e]{0,200}\n)+$/);
});
