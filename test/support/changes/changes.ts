import type { Change } from '../../../core/changes/change-resource.ts';

/** As documents of changes name `ADA`. */
export const BY_ADA = { user: '/users/u_ada', token: 'tok_0123456789abcdef' };

/** The last segments of their paths. */
export const idsOf = (changes: readonly Change[]) => changes.map(({ id }) => id.split('/').at(-1));

/** A change; `position` is that of its write in the stream. */
export const aChangeAt = (
  at: string,
  {
    position = '700000000000000000001',
    ...overrides
  }: Partial<Change> & { position?: string } = {},
): Change => {
  const kind = overrides.kind ?? 'activated';
  return {
    '@context': '/contexts/Change.jsonld',
    '@type': 'Change',
    id: `/acme/changes/chg_${position}-${kind}`,
    kind,
    at,
    account: '/accounts/acme',
    integration: '/integrations/0123456789Ab',
    baseUrl: 'https://hooks.example.com/in',
    by: BY_ADA,
    ...overrides,
  };
};
