import type { GuardPolicy } from '../../../core/integration/address-guard.ts';
import {
  buildCreateIntegration,
  type CreateIntegration,
} from '../../../core/integration/create-integration.ts';
import type { Integration } from '../../../core/integration/integration.ts';
import { late } from '../called-ports.ts';
import { InMemoryHostAddresses } from './in-memory-host-addresses.ts';
import { InMemoryIdempotencyRecords } from './in-memory-idempotency-records.ts';
import { InMemoryIntegrations } from './in-memory-integrations.ts';
import { InMemorySecrets, InMemorySecretWraps, quickHash } from './in-memory-secrets.ts';
import { ADA } from './integrations.ts';

export interface Creator {
  /** By the admin of the tests. */
  readonly create: (
    request: Omit<Parameters<CreateIntegration>[0], 'by'>,
  ) => ReturnType<CreateIntegration>;
  readonly integrations: InMemoryIntegrations;
  readonly idempotency: InMemoryIdempotencyRecords;
  readonly passHours: (hours: number) => void;
}

/** The use case over memory: ids and secrets are numbered, time passes when told to. */
export const aCreator = ({
  stored = [] as Integration[],
  hosts: addresses = {} as Record<string, string[]>,
  guard = { allowLoopback: false } as GuardPolicy,
  integrations = new InMemoryIntegrations(...stored),
  idempotency = new InMemoryIdempotencyRecords(),
  /** What the use case sees of the stores. */
  through = late,
} = {}): Creator => {
  let now = new Date('2026-11-20T12:00:00.000Z');
  let ids = 0;
  let secrets = 0;
  integrations.records = idempotency;
  const createBy = buildCreateIntegration({
    integrations: through(integrations),
    idempotency: through(idempotency),
    secrets: new InMemorySecrets(),
    secretWraps: new InMemorySecretWraps(),
    slowHash: quickHash,
    hosts: new InMemoryHostAddresses(addresses),
    guard,
    newIntegrationId: () => {
      ids += 1;
      return `id${String(ids).padStart(10, '0')}`;
    },
    newWebhookSecret: () => {
      secrets += 1;
      return `made secret ${secrets}`;
    },
    now: () => now,
  });
  const create: Creator['create'] = (request) => createBy({ ...request, by: ADA });
  const passHours = (hours: number) => {
    now = new Date(now.getTime() + hours * 3_600_000);
  };
  return { create, integrations, idempotency, passHours };
};
