import { type Integration, subscribedTo } from '../../core/integration/integration.ts';

/** The integration that every delivery of the bench is for. */
export const benchedIntegration = (baseUrl: string): Integration => ({
  account: 'acme',
  id: '8Fq2LmZ0aBcD',
  provider: 'webhook',
  active: true,
  config: { baseUrl, webhookSecret: `whsec_${Buffer.alloc(32, 'bench').toString('base64')}` },
  settings: { actions: subscribedTo('message.received') },
  revision: 1,
  epoch: 1,
  transients: 0,
  slots: {},
  createdAt: '2026-11-20T12:00:00.000Z',
  updatedAt: '2026-11-20T12:00:00.000Z',
});
