import { describe, expect, it } from 'vitest';
import { BUILDS, useEndpoint } from '../support/adapters/endpoint-under-test.ts';
import { aWebhookRequest } from '../support/delivery/webhook-requests.ts';
import {
  answer,
  cutOffBody,
  floodWithoutEnd,
  lateBody,
  trickle,
} from '../support/receiver/receiver-behaviours.ts';

const KIB = 1_024;

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
    const body = Buffer.from([0xff, 0xfe, 0x00, 0x41]);
    expect(await under.postTo(answer(200, { body }))).toMatchObject({
      responseStart: '\uFFFD\uFFFD\u0000A',
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

  it('counts as far as it came when the connection is closed within it', async () => {
    expect(await under.postTo(cutOffBody)).toEqual({
      kind: 'answered',
      statusCode: 200,
      responseStart: 'all there is',
    });
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
