import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { apiEntry } from '../../../../lambdas/api/runtime/api-entry.ts';
import { anApiEvent, call } from '../../../support/lambdas/api-gateway-events.ts';

const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=31536000',
};

describe('every answer of a function of the API', () => {
  it.each([
    [200, { 'Content-Type': 'application/vnd.service+jsonld', ETag: '"1"' }],
    [204, undefined],
    [422, { 'Content-Type': 'application/problem+json' }],
  ])('is read as what it says, over HTTPS only: %i', async (statusCode, headers) => {
    const parts = {
      environmentSchema: z.object({}),
      compose: () => ({}),
      createHandler: () => async () => ({ statusCode, headers, body: '' }),
    };
    const { headers: answered } = await call(apiEntry({}, parts), anApiEvent());
    expect(answered).toEqual({ ...headers, ...SECURITY_HEADERS });
  });
});
