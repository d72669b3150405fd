import type { Actor, ChangedBy, Integration } from '../../../core/integration/integration.ts';
import { subscribedTo } from '../../../core/integration/settings.ts';
import { aConfig } from './in-memory-secrets.ts';

/** Who changes integrations in tests. */
export const ADA: Actor = { kind: 'user', user: 'u_ada', token: 'tok_0123456789abcdef' };

export const byAdaAt = (at: string): ChangedBy => ({ ...ADA, at });

export const anIntegration = ({
  account = 'acme',
  id = '0123456789Ab',
  ...overrides
}: Partial<Integration> = {}): Integration => ({
  account,
  id,
  active: true,
  provider: 'webhook',
  config: aConfig({}, { account, id }),
  settings: {
    actions: subscribedTo('message.received', 'message.delivered'),
    onFatalError: 'pause',
  },
  revision: 1,
  epoch: 0,
  createdAt: '2026-11-20T12:00:00.000Z',
  updatedAt: '2026-11-20T12:00:00.000Z',
  changedBy: byAdaAt('2026-11-20T12:00:00.000Z'),
  trouble: undefined,
  ...overrides,
});

/** As a caller writes one; members set to undefined are left out. */
export const aDocument = (overrides: Record<string, unknown> = {}): Record<string, unknown> =>
  JSON.parse(
    JSON.stringify({
      '@context': '/contexts/Integration.jsonld',
      '@type': 'Integration',
      active: true,
      provider: 'webhook',
      config: { baseUrl: 'https://hooks.example.com/in' },
      settings: { actions: { 'message.received': true } },
      ...overrides,
    }),
  );
