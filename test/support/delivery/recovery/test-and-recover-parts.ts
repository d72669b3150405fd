import { buildRequestRecovery } from '../../../../core/delivery/recovery/request-recovery.ts';
import { buildResendDelivery } from '../../../../core/delivery/recovery/resend-delivery.ts';
import { buildRunRecovery } from '../../../../core/delivery/recovery/run-recovery.ts';
import type { WebhookEndpoint } from '../../../../core/delivery/sending/make-attempt.ts';
import { buildTestIntegration } from '../../../../core/delivery/sending/test-integration.ts';
import { late, type Through } from '../../called-ports.ts';
import { anIntegration } from '../../integration/integrations.ts';
import { CONFIRMING } from '../confirming-log.ts';
import { inMemoryParts, portsOver, type Stored } from '../in-memory-ports.ts';
import { ScriptedWebhookEndpoint } from '../scripted-webhook-endpoint.ts';

export type { Stored };

export const HALF_PAST_TWELVE = new Date('2026-11-20T12:30:00.000Z');
export const TEST_EVENT = 'test_0123456789abcdefABCD';
export const OF_INTEGRATION = { account: 'acme', id: anIntegration().id };

/** The schedule of a trouble of epoch 3. */
export const SCHEDULE = { ...OF_INTEGRATION, epoch: 3 };

/** The parts of tests and recoveries, at half past twelve: by default no trouble and no deliveries. */
export const testAndRecoverParts = ({
  stored = anIntegration() as Stored,
  endpoint = new ScriptedWebhookEndpoint() as WebhookEndpoint,
} = {}) => {
  const parts = inMemoryParts(stored);
  const pendingIds = () => parts.pendingEvents.of(OF_INTEGRATION.id).map(({ event }) => event.id);
  const queuedIds = () => parts.deliveries.deliveries.map(({ event }) => event.id);
  return { ...parts, endpoint, pendingIds, queuedIds };
};

/** The use cases over them. */
export const testAndRecoverOf = (
  parts: ReturnType<typeof testAndRecoverParts>,
  { through = late }: { through?: Through } = {},
) => {
  const now = () => HALF_PAST_TWELVE;
  const ports = portsOver(parts, { endpoint: parts.endpoint, now, through });
  return {
    testIntegration: buildTestIntegration({ ...ports, newTestEventId: () => TEST_EVENT }),
    retryNow: ports.retryNow,
    resendDelivery: buildResendDelivery(ports),
    requestRecovery: buildRequestRecovery(ports),
    runRecovery: buildRunRecovery({ ...ports, deliveryLog: CONFIRMING }),
  };
};
