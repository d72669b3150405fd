import * as z from 'zod';
import type { Actor, IntegrationKey, IntegrationReader } from '../../integration/integration.ts';
import { buildGetActiveIntegration } from '../../integration/read-integration.ts';
import { IGNORES_JSON_LD, parseRequestDocument } from '../../json-ld/request-document.ts';
import type { ReplayRequests } from '../pending/replay-requests.ts';
import type { TroubleStates } from '../trouble/troubles.ts';

export const recoveryDocument = z
  .strictObject({
    since: z.iso
      .datetime({ offset: true, error: 'must be an RFC 3339 instant' })
      .meta({ description: 'The earliest time of events to send again, between 1970 and now.' }),
  })
  .meta({
    id: 'RecoveryDocument',
    description: 'Which events to send again.',
    ...IGNORES_JSON_LD,
  });

export interface RequestedRecovery {
  readonly since: Date;
  readonly requestedAt: Date;
  readonly endedTrouble: boolean;
}

export type RequestRecovery = (
  integration: IntegrationKey & { by: Actor },
  body: unknown,
) => Promise<RequestedRecovery>;

/**
 * Ends an integration's trouble, and requests that every event since an instant that was not
 * delivered is sent again. Throws `not-found`, `integration-inactive` and `validation`.
 *
 * The recovery includes the replay that follows a trouble. If the process dies before the request,
 * the schedule requests a replay alone.
 */
export const buildRequestRecovery = (ports: {
  integrations: Pick<IntegrationReader, 'find'>;
  states: Pick<TroubleStates, 'recover'>;
  replays: ReplayRequests;
  now: () => Date;
}): RequestRecovery => {
  const getActiveIntegration = buildGetActiveIntegration(ports);
  return async ({ account, id, by }, body) => {
    const requestedAt = ports.now();
    const document = parseRequestDocument(documentAt(requestedAt), body, { name: 'Recovery' });
    const since = new Date(document.since);
    const integration = await getActiveIntegration(account, id);
    const endedTrouble = await ports.states.recover(integration, {
      requestedBy: { ...by, at: requestedAt.toISOString() },
    });
    await ports.replays.request({ account, id }, { recovery: { since, until: requestedAt } });
    return { since, requestedAt, endedTrouble };
  };
};

/** The delivery log compares instants as text, which needs years of four digits. */
const documentAt = (now: Date) =>
  recoveryDocument.extend({
    since: recoveryDocument.shape.since
      .refine((since) => !(new Date(since) > now), 'must not be in the future')
      .refine((since) => !(new Date(since) < EPOCH), 'must not be before 1970'),
  });

const EPOCH = new Date(0);
