import type { Integration } from './integration.ts';

export const INTEGRATION_STATUSES = ['active', 'inactive', 'busy', 'failed'] as const;

export type IntegrationStatus = (typeof INTEGRATION_STATUSES)[number];

/** The state that the API shows. A waiting integration is active. */
export const statusOf = ({
  active,
  trouble,
}: Pick<Integration, 'active' | 'trouble'>): IntegrationStatus => {
  if (!active) return 'inactive';
  return trouble?.kind === 'failed' || trouble?.kind === 'busy' ? trouble.kind : 'active';
};
