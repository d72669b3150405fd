import type { APIGatewayProxyResult } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { allowingOrigin } from '../../../../lambdas/api/runtime/api-entry.ts';
import { anApiEvent, call } from '../../../support/lambdas/api-gateway-events.ts';

const answer: APIGatewayProxyResult = {
  statusCode: 404,
  headers: { 'Content-Type': 'application/problem+json' },
  body: '{}',
};
const handler = async () => answer;

describe('An answer to a page of another origin', () => {
  it('may be read where that origin is configured, whatever its status', async () => {
    const allowing = allowingOrigin('https://console.example.com', handler);

    expect(await call(allowing, anApiEvent())).toEqual({
      ...answer,
      headers: {
        'Content-Type': 'application/problem+json',
        'Access-Control-Allow-Origin': 'https://console.example.com',
        'Access-Control-Expose-Headers': expect.stringContaining('ETag'),
      },
    });
  });

  it('says nothing of origins where none is', async () => {
    expect(await call(allowingOrigin(undefined, handler), anApiEvent())).toEqual(answer);
  });
});
