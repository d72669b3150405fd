import * as z from 'zod';
import type { DeliveryStates, IntegrationStore } from '../integrations/integration.ts';
import { IGNORES_JSON_LD, invalidDocument, parseRequestDocument } from '../request-document.ts';
import { createEndTrouble } from './end-trouble.ts';
import { createGetActiveIntegration } from './get-active-integration.ts';
import type { RecoveryRequests } from './replay-requests.ts';
import type { RetrySchedules } from './retry-schedules.ts';

export const recoveryDocument = z
  .strictObject({
    since: z.iso
      .datetime({ offset: true, error: 'must be an RFC 3339 instant' })
      .meta({ description: 'Of when the events occurred. Between 1970 and now.' }),
  })
  .meta({
    id: 'RecoveryDocument',
    description: 'Which events to send again.',
    ...IGNORES_JSON_LD,
  });

/** `endedTrouble`: the integration was busy or failed. */
export interface RequestedRecovery {
  readonly since: Date;
  readonly requestedAt: Date;
  readonly endedTrouble: boolean;
}

export type RequestRecovery = (
  integration: { account: string; id: string },
  body: unknown,
) => Promise<RequestedRecovery>;

/**
 * Ends an integration's trouble and has everything sent again that occurred since an instant and
 * did not arrive. Throws `not-found`, `integration-inactive` and `validation`.
 *
 * What replays the pending events after an end of trouble is here the request of the recovery
 * itself. A process that dies before it leaves the schedule to ask for a plain replay.
 */
export const createRequestRecovery = (ports: {
  integrations: IntegrationStore;
  states: DeliveryStates;
  schedules: RetrySchedules;
  replays: RecoveryRequests;
  now: () => Date;
}): RequestRecovery => {
  const getActiveIntegration = createGetActiveIntegration(ports);
  return async ({ account, id }, body) => {
    const requestedAt = ports.now();
    const since = sinceOf(body, requestedAt);
    const integration = await getActiveIntegration(account, id);
    const request = () =>
      ports.replays.requestRecovery({ account, id }, { since, until: requestedAt });
    const endTrouble = createEndTrouble({ ...ports, replays: { request } });
    const endedTrouble = await endTrouble(integration);
    if (!endedTrouble) await request();
    return { since, requestedAt, endedTrouble };
  };
};

const sinceOf = (body: unknown, now: Date): Date => {
  const document = parseRequestDocument(recoveryDocument, body, { name: 'Recovery' });
  const since = new Date(document.since);
  const fault = faultOf(since, now);
  if (fault === undefined) return since;
  throw invalidDocument('Recovery', [{ pointer: '/since', detail: fault }]);
};

/** Instants are compared as text, which those of the years of four digits can be. */
const faultOf = (since: Date, now: Date): string | undefined => {
  if (since.getTime() > now.getTime()) return 'must not be in the future';
  return since.getTime() < 0 ? 'must not be before 1970' : undefined;
};
