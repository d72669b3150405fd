import type { ChangeResource } from '../../../core/changes/change-resource.ts';

const ofWebhook = {
  '@context': '/contexts/Change.jsonld',
  '@type': 'Change',
  integration: '/integrations/8Fq2LmZ0aBcD',
  baseUrl: 'https://hooks.example.com/…',
} as const;

/** The newest first. */
export const listedChanges: readonly ChangeResource[] = [
  {
    ...ofWebhook,
    id: '/acme/changes/chg_4421584500000000017340423120-recovered',
    kind: 'recovered',
    at: '2026-11-20T14:05:31.000Z',
    by: 'service',
    statusCode: 500,
    endedBy: 'success',
    since: '2026-11-20T13:00:01.870Z',
  },
  {
    ...ofWebhook,
    id: '/acme/changes/chg_4421584500000000017340418344-failed',
    kind: 'failed',
    at: '2026-11-20T13:00:01.870Z',
    by: 'service',
    statusCode: 500,
    since: '2026-11-20T13:00:01.870Z',
  },
  {
    ...ofWebhook,
    id: '/acme/changes/chg_4421584500000000017340401101-settings-changed',
    kind: 'settings-changed',
    at: '2026-11-20T12:40:00.512Z',
    by: { user: '/users/u_1', token: 'tok_0f1e2d3c4b5a6978' },
    members: [
      {
        name: 'config.baseUrl',
        from: 'https://test.example.com/…',
        to: 'https://hooks.example.com/…',
      },
      { name: 'settings.actions.message.failed', from: false, to: true },
      { name: 'config.clientSecret' },
    ],
  },
];
