import { expect, it } from 'vitest';
import { requestedAccess } from '../../../../local/iam/requested-access.ts';

it('events need the permission to publish on each bus that they name', () => {
  const access = requestedAccess(
    {
      method: 'POST',
      path: '/',
      query: new URLSearchParams(),
      headers: { 'x-amz-target': 'AWSEvents.PutEvents' },
      input: { Entries: ['ours', 'theirs', 'ours'].map((EventBusName) => ({ EventBusName })) },
    },
    () => undefined,
  );

  expect(access).toEqual(
    ['ours', 'theirs'].map((name) => ({
      action: 'events:PutEvents',
      resource: `arn:aws:events:us-east-1:000000000000:event-bus/${name}`,
    })),
  );
});
