import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { classify, type OutcomeClass } from '../../core/delivery/attempt.ts';
import { BUILDS, useEndpoint } from '../support/adapters/endpoint-under-test.ts';
import { aWebhookRequest } from '../support/delivery/webhook-requests.ts';
import {
  answer,
  floodWithoutEnd,
  http10,
  interimThen,
  lateBody,
  redirect,
  trickle,
} from '../support/receiver/receiver-behaviours.ts';

const KIB = 1_024;

describe.each(BUILDS)('what an endpoint answers (%s)', (build) => {
  const under = useEndpoint(build);

  const table: [OutcomeClass, number[]][] = [
    ['delivered', [200, 201, 202, 204, 205, 206, 226, 299]],
    ['fatal', [300, 301, 302, 303, 304, 307, 308, 399]],
    ['fatal', [400, 401, 404, 408, 410, 413, 418, 421, 425, 429, 499]],
    ['fatal', [500, 501, 502, 503, 505, 511, 520, 599]],
    ['fatal', [600, 777, 999]],
    ['transient', [504]],
  ];
  for (const [outcome, statusCodes] of table) {
    it.each(statusCodes)(`counts a final %i as ${outcome}`, async (statusCode) => {
      const result = await under.postTo(answer(statusCode, { body: 'as you like' }));
      expect(result).toMatchObject({ kind: 'answered', statusCode });
      expect(classify(result).class).toBe(outcome);
    });
  }

  it.each(['120', 'Fri, 20 Nov 2026 12:02:00 GMT', 'soon'])(
    'hands on a Retry-After of %s as it was sent',
    async (retryAfter) => {
      const headers = { 'Retry-After': retryAfter };
      expect(await under.postTo(answer(504, { headers }))).toEqual({
        kind: 'answered',
        statusCode: 504,
        responseStart: '',
        retryAfter,
      });
    },
  );

  it('takes the first of two Retry-After headers', async () => {
    const headers = { 'Retry-After': '30\r\nRetry-After: 60' };
    expect(await under.postTo(answer(504, { headers }))).toMatchObject({ retryAfter: '30' });
  });

  it('says nothing of a Retry-After that was not sent', async () => {
    expect(await under.postTo(answer(504))).not.toHaveProperty('retryAfter');
  });

  it('takes the answer that follows a 100, which was not asked for', async () => {
    const result = await under.postTo(interimThen(100, answer(200, { body: 'thanks' })));
    expect(result).toEqual({ kind: 'answered', statusCode: 200, responseStart: 'thanks' });
  });

  it('takes the answer that follows interim answers of several kinds', async () => {
    const behaviour = interimThen(100, interimThen(102, interimThen(103, answer(504))));
    expect(await under.postTo(behaviour)).toMatchObject({ statusCode: 504 });
  });

  it('understands an answer of HTTP/1.0', async () => {
    expect(await under.postTo(http10(200, 'an old server'))).toEqual({
      kind: 'answered',
      statusCode: 200,
      responseStart: 'an old server',
    });
  });

  it('does not follow a redirect', async () => {
    const { receiver } = under;
    expect(await under.postTo(redirect(receiver.url('/elsewhere?to=1'), 307))).toMatchObject({
      statusCode: 307,
      location: `${new URL(receiver.url()).host}/elsewhere`,
    });
    await under.endpoint().post(aWebhookRequest({ url: receiver.url('/next') }));
    expect(receiver.requests.all.map(({ path }) => path)).toEqual(['/', '/next']);
  });
});

describe.each(BUILDS)('the body an endpoint answers with (%s)', (build) => {
  const under = useEndpoint(build);

  it('is kept whole when it is short', async () => {
    expect(await under.postTo(answer(200, { body: 'Thank you. Grüße!' }))).toMatchObject({
      responseStart: 'Thank you. Grüße!',
    });
  });

  it('is kept to its first KiB when it is longer', async () => {
    expect(await under.postTo(answer(500, { body: 'y'.repeat(3 * KIB) }))).toMatchObject({
      statusCode: 500,
      responseStart: 'y'.repeat(KIB),
    });
  });

  it('loses a character that the cut at 1 KiB would split', async () => {
    const body = `${'z'.repeat(KIB - 1)}é and more`;
    expect(await under.postTo(answer(200, { body }))).toMatchObject({
      responseStart: 'z'.repeat(KIB - 1),
    });
  });

  it('is text even when its bytes are not', async () => {
    const body = Buffer.from([0xff, 0xc3, 0x00, 0x41]);
    expect(await under.postTo(answer(200, { body }))).toMatchObject({
      responseStart: '\uFFFD\uFFFD\u0000A',
    });
  });

  it('is text when it is compressed and in another charset', async () => {
    const headers = { 'Content-Encoding': 'gzip', 'Content-Type': 'text/html; charset=Shift_JIS' };
    const body = gzipSync(Buffer.from([0x93, 0xfa, 0x96, 0x7b]));
    expect(await under.postTo(answer(500, { headers, body }))).toMatchObject({
      responseStart: '日本',
    });
  });

  it.each([200, 500, 504])('does not change what a %i means by being 1 MB long', async (status) => {
    const body = 'w'.repeat(1_000_000);
    expect(await under.postTo(answer(status, { body }))).toEqual({
      kind: 'answered',
      statusCode: status,
      responseStart: 'w'.repeat(KIB),
    });
  });

  it('is cut off when it has no end', async () => {
    expect(await under.postTo(floodWithoutEnd)).toEqual({
      kind: 'answered',
      statusCode: 200,
      responseStart: 'x'.repeat(KIB),
    });
  });

  it('is not waited for when it trickles', async () => {
    expect(await under.postTo(trickle)).toEqual({
      kind: 'answered',
      statusCode: 200,
      responseStart: 'drip',
    });
  });

  it('is waited for longer when it tells why the event was refused', async () => {
    const late = { afterMs: 500 };
    expect(await under.postTo(lateBody(200, 'thanks', late))).toMatchObject({ responseStart: '' });
    expect(await under.postTo(lateBody(422, 'why', late))).toMatchObject({ responseStart: 'why' });
  });

  it.each([
    ['endless', floodWithoutEnd],
    ['1 MB long', answer(200, { body: 'w'.repeat(1_000_000) })],
  ])('does not hold up the next request when it is %s', async (_case, behaviour) => {
    const { receiver } = under;
    receiver.behave('/', behaviour, answer(204));
    const endpoint = under.endpoint();
    await endpoint.post(aWebhookRequest({ url: receiver.url() }));
    expect(await endpoint.post(aWebhookRequest({ url: receiver.url() }))).toMatchObject({
      statusCode: 204,
    });
  });
});
