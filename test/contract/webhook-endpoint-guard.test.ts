import { describe, expect, it } from 'vitest';
import { BUILDS, PATIENT, useEndpoint } from '../support/adapters/endpoint-under-test.ts';
import { aWebhookRequest } from '../support/delivery/webhook-requests.ts';

const REFUSED = { kind: 'unanswered', reason: 'address-refused' };

describe.each(BUILDS)('the delivery guard at connect time (%s)', (build) => {
  const under = useEndpoint(build);

  it.each(['127.0.0.1', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', '127.0.0.1.', 'localhost'])(
    'makes no connection to loopback written as %s',
    async (host) => {
      const endpoint = under.endpoint(PATIENT, { allowLoopback: false });
      const result = await endpoint.post(aWebhookRequest({ url: under.receiver.url('/', host) }));
      expect(result).toEqual(REFUSED);
      expect(under.receiver.connections).toBe(0);
    },
  );

  it.each(['[::1]', '10.0.0.1', '169.254.169.254', '[fd00:ec2::254]', '0.0.0.0', '[::]'])(
    'refuses %s',
    async (host) => {
      const endpoint = under.endpoint(PATIENT, { allowLoopback: false });
      expect(await endpoint.post(aWebhookRequest({ url: `https://${host}/` }))).toEqual(REFUSED);
    },
  );

  it('refuses private addresses even where loopback is allowed', async () => {
    const result = await under.endpoint().post(aWebhookRequest({ url: 'https://192.168.0.1/' }));
    expect(result).toEqual(REFUSED);
  });

  it('refuses what is not HTTPS', async () => {
    const url = `http://127.0.0.1:${under.receiver.port}/`;
    expect(await under.endpoint().post(aWebhookRequest({ url }))).toEqual(REFUSED);
    expect(under.receiver.connections).toBe(0);
  });

  it.each(['https://', 'no URL', 'https://user:word@127.0.0.1/', 'https://127.0.0.1/#part'])(
    'refuses %j, which cannot be saved any more',
    async (url) => {
      expect(await under.endpoint().post(aWebhookRequest({ url }))).toEqual(REFUSED);
    },
  );

  it('lets a name that leads to loopback through where loopback is allowed', async () => {
    const url = under.receiver.url('/', 'localhost');
    expect(await under.endpoint().post(aWebhookRequest({ url }))).toMatchObject({
      statusCode: 200,
    });
  });
});
