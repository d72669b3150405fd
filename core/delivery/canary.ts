import * as z from 'zod';
import type { PlatformEvent } from '../event/event.ts';
import type { ChangeIntegration } from '../integration/change-integration.ts';
import { newIntegration } from '../integration/create-integration.ts';
import type { IntegrationReader } from '../integration/integration.ts';
import type { IntegrationWriter } from '../integration/integration-store.ts';
import { buildSealConfig, type SecretSealer } from '../integration/secret-sealing.ts';
import { subscribedTo } from '../integration/settings.ts';
import { buildOpenSecrets, type SecretOpener } from '../integration/signing-secrets.ts';
import { isSameSecret } from '../integration/webhook-secrets.ts';
import { serviceSignature } from './signature-headers.ts';

/** No token is of this account: the names of accounts begin with a letter or a digit. */
export const CANARY_ACCOUNT = '_canary';

/** A fixed id: two runs at once create one integration. */
export const CANARY_INTEGRATION = { account: CANARY_ACCOUNT, id: 'canary000000' };

const EVENT_TYPE = 'message.delivered';

const SERVICE = { kind: 'service' } as const;

/**
 * Ensures that the integration of the canary is active and leads to `baseUrl`. If the process dies,
 * the next run does what is left.
 */
export const buildKeepCanary = (ports: {
  integrations: Pick<IntegrationReader, 'find'> & Pick<IntegrationWriter, 'add'>;
  changeIntegration: ChangeIntegration;
  secrets: SecretSealer;
  newWebhookSecret: () => string;
  now: () => Date;
}) => {
  const sealConfig = buildSealConfig(ports);
  const { account, id } = CANARY_INTEGRATION;
  return async (baseUrl: string): Promise<void> => {
    const stored = await ports.integrations.find(account, id);
    if (stored === undefined) {
      const config = { baseUrl, webhookSecret: ports.newWebhookSecret() };
      const integration = newIntegration(
        // One refused event must not keep the canary from its next events for an hour.
        { active: true, settings: { actions: subscribedTo(EVENT_TYPE), onFatalError: 'continue' } },
        {
          account,
          id,
          by: SERVICE,
          config: await sealConfig(config, { account, id }),
          now: ports.now(),
        },
      );
      await ports.integrations.add(integration);
    } else if (!stored.active || stored.config.baseUrl !== baseUrl) {
      await ports.changeIntegration({ account, id, by: SERVICE }, ({ config }) => ({
        active: true,
        config: { ...config, baseUrl },
      }));
    }
  };
};

export const canaryEvent = (id: string, now: Date): PlatformEvent => ({
  id,
  type: EVENT_TYPE,
  account: CANARY_ACCOUNT,
  occurredAt: now.toISOString(),
  data: {},
});

const webhookBody = z.object({ timestamp: z.iso.datetime({ offset: true }) });

export type ReceiveCanary = (body: string, signature: string) => Promise<number | undefined>;

/**
 * Resolves to the milliseconds since the event of a webhook occurred, or to undefined if the
 * signature, the `X-Service-Signature` of the request, is not that of the body.
 */
export const buildReceiveCanary = (ports: {
  integrations: Pick<IntegrationReader, 'find'>;
  secrets: SecretOpener;
  now: () => Date;
}): ReceiveCanary => {
  const openSecrets = buildOpenSecrets(ports);
  const { account, id } = CANARY_INTEGRATION;
  return async (body, signature) => {
    const arrivedAt = ports.now();
    const integration = await ports.integrations.find(account, id);
    if (integration === undefined) return undefined;
    const { webhookSecret } = await openSecrets(integration);
    if (!isSameSecret(signature, serviceSignature(webhookSecret, body))) return undefined;
    const { timestamp } = webhookBody.parse(JSON.parse(body));
    return arrivedAt.getTime() - Date.parse(timestamp);
  };
};
