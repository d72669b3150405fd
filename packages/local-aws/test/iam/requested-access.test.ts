import { expect, it } from 'vitest';
import { requestedAccess } from '../../iam/requested-access.ts';

const noTable = () => undefined;

it('a mail needs permission to send as its sender, with its configuration', () => {
  const access = requestedAccess(
    {
      method: 'POST',
      path: '/v2/email/outbound-emails',
      query: new URLSearchParams(),
      headers: {},
      input: { FromEmailAddress: 'webhooks@localhost', ConfigurationSetName: 'mail' },
    },
    noTable,
  );

  expect(access).toEqual(
    ['identity/webhooks@localhost', 'configuration-set/mail'].map((name) => ({
      action: 'ses:SendEmail',
      resource: `arn:aws:ses:us-east-1:000000000000:${name}`,
      fromAddress: 'webhooks@localhost',
    })),
  );
});

it('events need the permission to publish on each bus that they name', () => {
  const access = requestedAccess(
    {
      method: 'POST',
      path: '/',
      query: new URLSearchParams(),
      headers: { 'x-amz-target': 'AWSEvents.PutEvents' },
      input: { Entries: ['ours', 'theirs', 'ours'].map((EventBusName) => ({ EventBusName })) },
    },
    noTable,
  );

  expect(access).toEqual(
    ['ours', 'theirs'].map((name) => ({
      action: 'events:PutEvents',
      resource: `arn:aws:events:us-east-1:000000000000:event-bus/${name}`,
    })),
  );
});
