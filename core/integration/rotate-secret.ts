import * as z from 'zod';
import { IGNORES_JSON_LD, parseRequestDocument } from '../json-ld/request-document.ts';
import type { ChangeIntegration } from './change-integration.ts';
import { buildSealWebhookSecret, type SecretSealer } from './secret-sealing.ts';
import { rotatedSecrets, webhookSecret } from './webhook-secrets.ts';
import type { WriteIntegration } from './write-integration.ts';

/** A day: time to deploy the new secret to a receiver. */
const USUAL_OVERLAP_S = 86_400;
/** A week: a longer overlap would keep a leaked secret valid. */
const MAX_OVERLAP_S = 604_800;
const OVERLAP_FAULT = `must be a whole number from 0 to ${MAX_OVERLAP_S}`;

export const secretRotation = z
  .strictObject({
    webhookSecret: webhookSecret
      .optional()
      .meta({ description: 'The new secret. Made by the service when absent.' }),
    overlapSeconds: z
      .int(OVERLAP_FAULT)
      .min(0, OVERLAP_FAULT)
      .max(MAX_OVERLAP_S, OVERLAP_FAULT)
      .default(USUAL_OVERLAP_S)
      .meta({
        description:
          'How long deliveries are signed with the secret from before, too: 24 hours when absent. With 0 every previous secret is gone at once.',
      }),
  })
  .meta({
    id: 'SecretRotation',
    description: 'How a webhook secret is to be rotated.',
    ...IGNORES_JSON_LD,
  });

/**
 * Gives an integration a new webhook secret and keeps the replaced one for an overlap. Throws
 * `not-found`, `validation`, and the refusal of the precondition. May be repeated if its answer is
 * lost: the receiver's secret stays until the end of the first overlap.
 */
export const buildRotateSecret = (ports: {
  changeIntegration: ChangeIntegration;
  newWebhookSecret: () => string;
  secrets: SecretSealer;
  now: () => Date;
}): WriteIntegration => {
  const seal = buildSealWebhookSecret(ports);
  return async ({ body, precondition, ...integrationAndActor }) => {
    let newSecret: string | undefined;
    const integration = await ports.changeIntegration(integrationAndActor, async (stored) => {
      precondition(stored);
      const { webhookSecret = ports.newWebhookSecret(), overlapSeconds } = parseRequestDocument(
        secretRotation,
        body,
        { name: 'SecretRotation' },
      );
      newSecret = webhookSecret;
      const { webhookSecret: _, previousSecrets: __, ...config } = stored.config;
      const sealed = await seal(webhookSecret, stored);
      const now = ports.now();
      const secrets = rotatedSecrets(stored.config, sealed, { now, overlapSeconds });
      return { config: { ...config, ...secrets } };
    });
    return { integration, newSecret, warnings: [] };
  };
};
