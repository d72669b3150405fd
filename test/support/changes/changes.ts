import type { Change } from '../../../core/changes/change.ts';
import { ADA } from '../integration/integrations.ts';

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
    id: `chg_${position}-${kind}`,
    kind,
    at,
    account: 'acme',
    integration: '0123456789Ab',
    baseUrl: 'https://hooks.example.com/in',
    by: ADA,
    ...overrides,
  };
};
