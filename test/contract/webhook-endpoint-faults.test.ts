import { describe, expect, it } from 'vitest';
import { resultOfFault } from '../../adapters/http/connection-fault.ts';
import { BUILDS, PATIENT, useEndpoint } from '../support/adapters/endpoint-under-test.ts';
import { aWebhookRequest } from '../support/delivery/webhook-requests.ts';
import { CERTIFICATE_FAULTS } from '../support/receiver/certificate-faults.ts';
import {
  CONNECTION_FAULTS,
  PROTOCOL_FAULTS,
  startTcpServer,
  TLS_OF_YESTERDAY,
} from '../support/receiver/endpoint-faults.ts';
import { MisbehavingReceiver } from '../support/receiver/misbehaving-receiver.ts';
import * as behaviours from '../support/receiver/receiver-behaviours.ts';

const HASTY = { connectTimeoutMs: 5_000, responseTimeoutMs: 150 };

describe.each(BUILDS)('an endpoint that gives no answer (%s)', (build) => {
  const under = useEndpoint(build);

  it.each([
    ['says nothing', behaviours.hang],
    ['stalls in the middle of its head', behaviours.halfAHead],
    ['stalls after an interim head', behaviours.interimThen(103, behaviours.hang)],
    ['stalls after a 100', behaviours.interimThen(100, behaviours.hang)],
  ])('is given up after the response timeout when it %s', async (_case, behaviour) => {
    const result = await under.postTo(behaviour, HASTY);
    expect(result).toEqual({ kind: 'unanswered', reason: 'response-timeout' });
  });

  it.each(['close-after-tls', 'reset-after-tls', 'reset-before-tls'] as const)(
    'is a failed connection when it greets with %s',
    async (greeting) => {
      under.receiver.greet(greeting);
      expect(await under.postTo(behaviours.hang)).toEqual({
        kind: 'unanswered',
        reason: 'connection-failed',
        code: 'ECONNRESET',
      });
    },
  );

  it('is a refused connection when no server listens', async () => {
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
});

describe.each(BUILDS)('an endpoint that does not keep to HTTP (%s)', (build) => {
  const under = useEndpoint(build);

  it.each(PROTOCOL_FAULTS)('has an outcome: %s', async (_what, behaviour, expected) => {
    expect(await under.postTo(behaviour)).toEqual(expected);
  });

  it('does not hold up the others with interim heads without end', async () => {
    const { receiver } = under;
    receiver.behave('/flood', behaviours.interimWithoutEnd);
    const endpoint = under.endpoint();
    const flood = endpoint.post(aWebhookRequest({ url: receiver.url('/flood') }));
    expect(await endpoint.post(aWebhookRequest({ url: receiver.url('/quick') }))).toMatchObject({
      statusCode: 200,
    });
    expect(await flood).toMatchObject({ reason: 'too-many-interim-answers' });
  });
});

describe.each(BUILDS)('an endpoint without TLS that can be trusted (%s)', (build) => {
  const under = useEndpoint(build);
  const brief = { ...PATIENT, connectTimeoutMs: 500 };

  it.each(CONNECTION_FAULTS)('has an outcome when it %s', async (_what, greet, expected) => {
    const server = await startTcpServer(greet);
    const { url, close } = server;
    expect(await under.endpoint(brief).post(aWebhookRequest({ url }))).toEqual(expected);
    close();
  });

  const postToServerWith = async (tls: Parameters<typeof MisbehavingReceiver.start>[0]) => {
    const receiver = await MisbehavingReceiver.start(tls);
    try {
      const result = await under.endpoint().post(aWebhookRequest({ url: receiver.url() }));
      return { result, requests: receiver.requests.all };
    } finally {
      await receiver.close();
    }
  };

  it.each(CERTIFICATE_FAULTS)(
    'gets nothing when its certificate is %s',
    async (_what, code, tls) => {
      const { result, requests } = await postToServerWith(await tls(under.authority));
      expect(result).toEqual(resultOfFault({ code }, true));
      expect(requests).toEqual([]);
    },
  );

  it('gets nothing when its TLS is older than 1.2', async () => {
    const tls = { ...(await under.authority.issue()), ...TLS_OF_YESTERDAY };
    const { result, requests } = await postToServerWith(tls);
    expect(result).toEqual({
      kind: 'unanswered',
      reason: 'tls-version-unsupported',
      code: 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
    });
    expect(requests).toEqual([]);
  });

  it('gets nothing when it requires a certificate of its clients', async () => {
    const { cert, key } = await under.authority.issue();
    const tls = { cert, key, requestCert: true, rejectUnauthorized: true };
    const { result, requests } = await postToServerWith(tls);
    expect(result).toEqual({
      kind: 'unanswered',
      reason: 'client-certificate-required',
      code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
    });
    expect(requests).toEqual([]);
  });

  it('is trusted when an authority stands between it and one that is known', async () => {
    const subordinate = await under.authority.subordinate();
    const { result } = await postToServerWith(await subordinate.issue());
    expect(result).toMatchObject({ statusCode: 200 });
  });
});
