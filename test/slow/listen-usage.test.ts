import { describe, expect, inject, it } from 'vitest';
import { newCustomer } from '../support/journey/customer-webhook.ts';
import { downloadListen } from '../support/listen/listening.ts';
import { refuseWith, startUnreliableApi } from '../support/listen/unreliable-api.ts';

const { api } = inject('service');
const listen = await downloadListen(api);

describe.concurrent('listen.mjs ends', () => {
  const run = async (
    words: readonly string[],
    { token = 'mst_unknown', secret = 'a secret of the receiver' } = {},
  ) => {
    const listening = listen({ words, token, secret });
    return { code: await listening.exitCode, output: listening.output };
  };
  const toSomewhere = ['--to', 'http://localhost:1/', '--integration', '8Fq2LmZ0aBcD'];

  it('with 1 and the reason when the API refuses', async () => {
    const { tokens } = await newCustomer();
    const forbidding = await startUnreliableApi(api, () => refuseWith(403));

    const unknownToken = await run(toSomewhere);
    const otherAccount = await run(toSomewhere, { token: tokens.member });
    const forbidden = await run([...toSomewhere, '--api', forbidding.address]);

    expect([unknownToken.code, otherAccount.code, forbidden.code]).toEqual([1, 1, 1]);
    expect(unknownToken.output).toMatch(/^The API refuses \(401\): it does not know SERVICE_TOKEN/);
    expect(otherAccount.output).toMatch(/\(404\): the account of SERVICE_TOKEN has no webhook 8Fq/);
    expect(forbidden.output).toMatch(/\(403\): the role of SERVICE_TOKEN does not allow this/);
  });

  it.each<[string, string[], object, RegExp]>([
    ['no --to', ['--integration', 'a'], {}, /^--to must be/],
    ['another scheme', ['--to', 'ftp://localhost', '--integration', 'a'], {}, /^--to must be/],
    ['no --integration', ['--to', 'http://localhost'], {}, /^--integration must be/],
    ['an unknown option', [...toSomewhere, '--token', 'x'], {}, /'--token'/],
    ['a stray word', [...toSomewhere, 'mst_stray'], {}, /^A word of the command/],
    ['another --since', [...toSomewhere, '--since', 'yesterday'], {}, /^--since must be/],
    ['another --tries', [...toSomewhere, '--tries', '0'], {}, /^--tries must be/],
    ['an open --api', [...toSomewhere, '--api', 'http://192.0.2.1'], {}, /^--api must be an https/],
    ['no token', toSomewhere, { token: '' }, /^SERVICE_TOKEN must be/],
    ['no secret', toSomewhere, { secret: '' }, /^WEBHOOK_SECRET must be/],
    [
      'a broken secret',
      toSomewhere,
      { secret: 'whsec_?mst' },
      /^The webhook secret must be base64/,
    ],
  ])('with 2 and the name of what is wrong: %s', async (_, words, environment, reason) => {
    const { code, output } = await run(words, environment);

    expect(code).toBe(2);
    expect(output).toMatch(reason);
    expect(output).not.toMatch(/mst|secret of the receiver/);
  });

  it('with 0 after its help, which has the address of the API', async () => {
    const { code, output } = await run(['--help']);

    expect(code).toBe(0);
    expect(output).toContain(`--api <address>    the address of the API (${api})`);
    expect(output).toMatch(/ \\\n {4}node listen\.mjs .* --check service\n/);
  });
});
