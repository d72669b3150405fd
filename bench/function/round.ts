import type { Integration } from '../../core/integration/integration.ts';
import { subscribedTo } from '../../core/integration/settings.ts';
import type { SealedSecret } from '../../core/integration/signing-secrets.ts';

/** The request for one round of deliveries. */
export interface RoundRequest {
  readonly deliveries: number;
}

export interface Round {
  readonly cpuS: number;
  readonly failed: number;
  /** The lines that the work wrote to standard error. */
  readonly errors: readonly string[];
}

/** The CPU time of this process, all its threads, while the work is done. */
export const cpuSecondsOf = async (work: () => Promise<void>): Promise<number> => {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
};

export const BENCHED_SECRET = `whsec_${Buffer.alloc(32, 'bench').toString('base64')}`;

export const BENCHED_KEY = { account: 'acme', id: '8Fq2LmZ0aBcD' };

/** The integration that every delivery of the bench is for. */
export const benchedIntegration = (baseUrl: string, webhookSecret: SealedSecret): Integration => ({
  ...BENCHED_KEY,
  provider: 'webhook',
  active: true,
  config: { baseUrl, webhookSecret },
  settings: { actions: subscribedTo('message.received'), onFatalError: 'pause' },
  revision: 1,
  epoch: 1,
  createdAt: '2026-11-20T12:00:00.000Z',
  updatedAt: '2026-11-20T12:00:00.000Z',
  changedBy: { kind: 'operator', at: '2026-11-20T12:00:00.000Z' },
});
