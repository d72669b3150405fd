import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { HttpsWebhookEndpoint } from '../../adapters/http/https-webhook-endpoint.ts';
import type { PostResult } from '../../core/delivery/attempt.ts';
import { BUILDS, PATIENT, useEndpoint } from '../support/adapters/endpoint-under-test.ts';
import { aWebhookRequest } from '../support/delivery/webhook-requests.ts';
import { NameServer, SILENT } from '../support/dns/name-server.ts';
import { MisbehavingReceiver } from '../support/receiver/misbehaving-receiver.ts';

const HERE = { a: ['127.0.0.1'] };
const REFUSED = { kind: 'unanswered', reason: 'address-refused' };
const NO_ANSWER = { kind: 'unanswered', reason: 'dns-failure', code: 'ETIMEOUT' };
/** Enough for five handshakes on a busy machine. */
const GENEROUS = { connectTimeoutMs: 20_000, responseTimeoutMs: 20_000 };

const SILENT_NAMES = Array.from({ length: 60 }, (_, number) => `silent${number}.example.com`);

describe.each(BUILDS)('the name of an endpoint (%s)', (build) => {
  const under = useEndpoint(build);
  let server: NameServer;
  let receiver: MisbehavingReceiver;

  beforeAll(async () => {
    server = await NameServer.start({
      'here.example.com': HERE,
      'alias.example.com': { ...HERE, cname: 'elsewhere.example' },
      'partly.example.com': { ...HERE, silent: ['aaaa'] },
      'nowhere.example.com': { cname: 'elsewhere.example' },
      'nowhere-silent.example.com': { cname: 'elsewhere.example', silent: ['aaaa'] },
      'mixed.example.com': { a: ['127.0.0.1', '10.0.0.1'] },
      'mixed-six.example.com': { ...HERE, aaaa: ['fd00:ec2::254'] },
      ...Object.fromEntries(SILENT_NAMES.map((name) => [name, SILENT])),
    });
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    const tls = await under.authority.issue({ names: ['*.example.com'] });
    // As Go's TLS server does: a server name has no dot at its end (RFC 6066).
    const refuseDot = (name: string, callback: (error: Error | null) => void) =>
      callback(name.endsWith('.') ? new Error('unexpected message') : null);
    receiver = await MisbehavingReceiver.start({ ...tls, SNICallback: refuseDot });
  });
  afterEach(() => receiver.close());

  const endpoint = (limits = PATIENT) =>
    under.endpoint(limits, { allowLoopback: true }, { dnsServers: [server.address] });
  const postTo = (host: string, over: HttpsWebhookEndpoint = endpoint()) =>
    over.post(aWebhookRequest({ url: receiver.url('/', host) }));

  it.each([
    ['is resolved by DNS', 'here.example.com'],
    ['may be an alias', 'alias.example.com'],
    ['may have a name server that does not answer when it is asked for IPv6', 'partly.example.com'],
    ['may end in the dot of the root, which is no part of TLS', 'here.example.com.'],
  ])('%s', async (_what, host) => {
    expect(await postTo(host)).toMatchObject({ statusCode: 200 });
    const { headers } = await receiver.requests.nth(1);
    expect(headers.host).toBe(`${host}:${receiver.port}`);
  });

  it('must be on the certificate without the dot of the root', async () => {
    expect(await postTo('here.example.com.', endpoint())).toMatchObject({ statusCode: 200 });
    const code = 'ERR_TLS_CERT_ALTNAME_INVALID';
    const other = await MisbehavingReceiver.start(await under.authority.issue());
    const url = other.url('/', 'here.example.com.');
    expect(await endpoint().post(aWebhookRequest({ url }))).toMatchObject({ code });
    await other.close();
  });

  it.each(['mixed.example.com', 'mixed-six.example.com'])(
    'is refused when one of its addresses is: %s',
    async (host) => {
      expect(await postTo(host)).toEqual(REFUSED);
      expect(receiver.connections).toBe(0);
    },
  );

  it.each(['missing.example.com', 'localhost', 'here'])(
    'is a DNS failure when DNS does not know it: %s',
    async (host) => {
      expect(await postTo(host)).toMatchObject({ reason: 'dns-failure', code: 'ENOTFOUND' });
    },
  );

  it.each(['nowhere.example.com', 'nowhere-silent.example.com'])(
    'is a DNS failure when its alias leads to no address: %s',
    async (host) => {
      expect(await postTo(host)).toMatchObject({ reason: 'dns-failure', code: 'ENODATA' });
    },
  );

  it.skipIf(build === 'bundle').each([
    [9, 1],
    [60, 5],
  ])('is a failure of %i endpoints alone, while %i others are delivered', async (slow, healthy) => {
    const over = endpoint(GENEROUS);
    const silent: Promise<PostResult>[] = [];
    for (let batch = 0; batch < 3; batch += 1) {
      silent.push(...SILENT_NAMES.slice(0, slow).map((name) => postTo(name, over)));
      const others = Array.from({ length: healthy }, () => postTo('here.example.com', over));
      const results = await Promise.all(others);
      expect(results).toEqual(results.map(() => expect.objectContaining({ statusCode: 200 })));
    }
    expect(await Promise.all(silent)).toEqual(silent.map(() => NO_ANSWER));
  });
});
