import { expect, it, vi } from 'vitest';

it('gives a call of AWS the time that the function has for it', async () => {
  vi.stubEnv('AWS_CALL_TIMEOUT_MS', '8000');
  const module = '../../../adapters/aws-sdk/aws-clients.ts?patient';
  const { AWS_REQUEST_LIMITS } = await import(module);
  vi.unstubAllEnvs();

  expect(AWS_REQUEST_LIMITS.requestHandler.requestTimeout).toBe(8_000);
});
