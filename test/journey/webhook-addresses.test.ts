import { describe, expect, inject, it } from 'vitest';
import { call } from '../support/journey/platform.ts';
import { document, errorsOf, expectProblem } from '../support/journey/problems.ts';

const integrations = `/${inject('service').account}/integrations`;

describe('The API refuses', () => {
  const unsafeUrls = [
    'http://hooks.example.com/in',
    'ftp://hooks.example.com/in',
    '/hooks',
    'https://',
    'https://user:secret@hooks.example.com/',
    'https://hooks.example.com/#fragment',
    `https://hooks.example.com/${'x'.repeat(2_048)}`,
    'https://10.0.0.1/',
    'https://10.0.0.1./',
    'https://167772161/',
    'https://012.0.0.1/',
    'https://0xa.0.0.1/',
    'https://0x0a000001/',
    'https://10.1/',
    'https://１０.0.0.1/',
    'https://192.168.1.1/',
    'https://172.16.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://100.64.0.1/',
    'https://0.0.0.0/',
    'https://255.255.255.255/',
    'https://224.0.0.1/',
    'https://[::ffff:10.0.0.1]/',
    'https://[::ffff:a00:1]/',
    'https://[64:ff9b::a00:1]/',
    'https://[fc00::1]/',
    'https://[fe80::1]/',
    'https://[::]/',
    'https://[ff02::1]/',
    'https://[fd00:ec2::254]/',
  ];

  it.each(unsafeUrls)('the webhook address %s', async (baseUrl) => {
    const reply = await call('POST', integrations, { body: document({ baseUrl }) });

    expectProblem(reply, 422, 'validation');
    expect(errorsOf(reply)).toEqual([
      { pointer: '/config/baseUrl', detail: expect.stringMatching(/^must /) },
    ]);
  });
});
