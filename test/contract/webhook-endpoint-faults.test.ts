import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { PATIENT, useEndpoint } from '../support/adapters/endpoint-under-test.ts';
import { expired, forAnotherHost, type ServerCertificate } from '../support/certificates.ts';
import { aWebhookRequest } from '../support/delivery/webhook-requests.ts';
import { MisbehavingReceiver } from '../support/receiver/misbehaving-receiver.ts';
import * as behaviours from '../support/receiver/receiver-behaviours.ts';

const HASTY = { connectTimeoutMs: 5_000, responseTimeoutMs: 150 };

describe('an endpoint that gives no answer', () => {
  const under = useEndpoint();

  it.each([
    ['says nothing', behaviours.hang],
    ['stalls in the middle of its head', behaviours.halfAHead],
    ['stalls after an interim head', behaviours.interimThen(103, behaviours.hang)],
    ['sends interim heads without end', behaviours.interimWithoutEnd],
  ])('is given up after the response timeout when it %s', async (_case, behaviour) => {
    const result = await under.postTo(behaviour, HASTY);
    expect(result).toEqual({ kind: 'unanswered', reason: 'response-timeout' });
  });

  it.each([
    ['resets the connection', behaviours.reset],
    ['closes the connection', behaviours.closeWithoutAnswer],
  ])('is a failed connection when it %s after reading', async (_case, behaviour) => {
    expect(await under.postTo(behaviour)).toMatchObject({ reason: 'connection-failed' });
  });

  it.each(['close-after-tls', 'reset-after-tls', 'reset-before-tls'] as const)(
    'is a failed connection when it greets with %s',
    async (greeting) => {
      under.receiver.greet(greeting);
      expect(await under.postTo(behaviours.hang)).toMatchObject({
        kind: 'unanswered',
        reason: 'connection-failed',
      });
    },
  );

  it.each([
    'SSH-2.0-OpenSSH_9.9\r\n',
    '<html>',
    '\0\0\0\0',
    'HTTP/1.1 20 OK\r\n\r\n',
    'HTTP/1.1 099 OK\r\n\r\n',
    'HTTP/1.1 2000 OK\r\n\r\n',
    'HTTP/1.1 101 Without An Upgrade\r\n\r\n',
    'HTTP/1.1 200 OK\r\nno colon\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello',
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ])('is a malformed response when it sends %j', async (bytes) => {
    expect(await under.postTo(behaviours.raw(bytes))).toMatchObject({
      kind: 'unanswered',
      reason: 'malformed-response',
    });
  });

  it('is a malformed response when its head is endless', async () => {
    expect(await under.postTo(behaviours.hugeHeaders)).toMatchObject({
      reason: 'malformed-response',
    });
  });

  it('is a refused connection when nobody listens', async () => {
    const port = under.receiver.port;
    await under.receiver.close();
    const endpoint = under.endpoint();
    expect(await endpoint.post(aWebhookRequest({ url: `https://127.0.0.1:${port}/` }))).toEqual({
      kind: 'unanswered',
      reason: 'connection-refused',
      code: 'ECONNREFUSED',
    });
  });

  it('is a DNS failure when its name does not exist', async () => {
    const result = await under
      .endpoint()
      .post(aWebhookRequest({ url: 'https://nobody.invalid/hook' }));
    expect(result).toMatchObject({ kind: 'unanswered', reason: 'dns-failure' });
  });

  it('is a TLS failure when it does not speak TLS', async () => {
    const plain = createServer((socket) => void socket.end('HTTP/1.1 200 OK\r\n\r\n'));
    plain.listen(0, '127.0.0.1');
    await once(plain, 'listening');
    const { port } = plain.address() as AddressInfo;
    const result = await under
      .endpoint()
      .post(aWebhookRequest({ url: `https://127.0.0.1:${port}/` }));
    plain.close();
    expect(result).toMatchObject({ reason: 'tls-failure' });
  });

  it('is given up after the connect timeout when TLS is never finished', async () => {
    const silent = createServer(() => {});
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const endpoint = under.endpoint({ connectTimeoutMs: 50, responseTimeoutMs: 5_000 });
    const result = await endpoint.post(aWebhookRequest({ url: `https://127.0.0.1:${port}/` }));
    silent.close();
    expect(result).toMatchObject({ reason: 'connect-timeout' });
  });
});

describe('an endpoint whose certificate cannot be trusted', () => {
  const under = useEndpoint();

  const postToServerWith = async (certificate: ServerCertificate) => {
    const receiver = await MisbehavingReceiver.start(certificate);
    try {
      const result = await under.endpoint(PATIENT).post(aWebhookRequest({ url: receiver.url() }));
      return { result, requests: receiver.requests.all };
    } finally {
      await receiver.close();
    }
  };

  it.each([
    ['self-signed', 'DEPTH_ZERO_SELF_SIGNED_CERT', () => under.authority.selfSigned()],
    ['expired', 'CERT_HAS_EXPIRED', () => under.authority.issue(expired)],
    [
      'of another host',
      'ERR_TLS_CERT_ALTNAME_INVALID',
      () => under.authority.issue(forAnotherHost),
    ],
  ])('gets nothing when it is %s', async (_case, code, certificate) => {
    const { result, requests } = await postToServerWith(await certificate());
    expect(result).toEqual({ kind: 'unanswered', reason: 'tls-failure', code });
    expect(requests).toEqual([]);
  });
});
