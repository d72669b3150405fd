import * as z from 'zod';
import { IGNORES_JSON_LD, parseRequestDocument } from '../json-ld/request-document.ts';
import { Refusal } from '../refusal.ts';
import type { ChangeIntegration } from './change-integration.ts';
import { buildSealWebhookSecret, type SecretSealer } from './secret-sealing.ts';
import type { IntegrationSettings } from './settings.ts';
import type { SealedSecret, SigningSecrets } from './signing-secrets.ts';
import { preparedSecrets, switchedSecrets, webhookSecret } from './webhook-secrets.ts';
import type { WriteIntegration } from './write-integration.ts';

/** A day: time to remove the old secret from a receiver. */
const USUAL_OVERLAP_S = 86_400;
/** A week: a longer overlap would keep a leaked secret valid. */
const MAX_OVERLAP_S = 604_800;
const OVERLAP_FAULT = `must be a whole number from 0 to ${MAX_OVERLAP_S}`;

export const secretRotation = z
  .strictObject({
    webhookSecret: webhookSecret
      .optional()
      .meta({ description: 'The new secret. Generated if absent.' }),
  })
  .meta({
    id: 'SecretRotation',
    description: 'The secret that a rotation prepares.',
    ...IGNORES_JSON_LD,
  });

export const secretSwitch = z
  .strictObject({
    webhookSecret: webhookSecret.meta({
      description:
        'The prepared secret, which your receivers accept. Another one is refused: another call of `rotate-secret` may have replaced yours. So is the current secret while another is prepared.',
    }),
    overlapSeconds: z
      .int(OVERLAP_FAULT)
      .min(0, OVERLAP_FAULT)
      .max(MAX_OVERLAP_S, OVERLAP_FAULT)
      .default(USUAL_OVERLAP_S)
      .meta({
        description:
          'How long `webhook-signature` also has a signature with the replaced secret: 24 hours by default. With 0, all previous secrets stop working immediately.',
      }),
  })
  .meta({
    id: 'SecretSwitch',
    description: 'Which prepared secret replaces the current one, and how.',
    ...IGNORES_JSON_LD,
  });

/**
 * Prepares a rotation: nothing that a receiver verifies with ends. Throws `not-found`,
 * `validation`, and the refusal of the precondition. May be repeated if its answer is lost: a next
 * secret that it replaces signs for a day more.
 */
export const buildRotateSecret = (ports: {
  changeIntegration: ChangeIntegration;
  newWebhookSecret: () => string;
  secrets: SecretSealer;
  now: () => Date;
}): WriteIntegration => {
  const seal = buildSealWebhookSecret(ports);
  return async ({ body, precondition, ...integrationAndActor }) => {
    let nextSecret: string | undefined;
    const integration = await ports.changeIntegration(integrationAndActor, async (stored) => {
      precondition(stored);
      const { webhookSecret = ports.newWebhookSecret() } = parseRequestDocument(
        secretRotation,
        body,
        { name: 'SecretRotation' },
      );
      nextSecret = webhookSecret;
      const sealed = await seal(webhookSecret, stored);
      const overlap = { now: ports.now(), overlapSeconds: USUAL_OVERLAP_S };
      return {
        config: withSecrets(stored.config, preparedSecrets(stored.config, sealed, overlap)),
      };
    });
    return { integration, nextSecret, warnings: [] };
  };
};

/**
 * Ends a rotation: the next secret, which the caller names, replaces the present one. Repeated, it
 * changes nothing, but an overlap of 0 seconds ends all. The present one is refused while another is
 * prepared.
 * Throws `not-found`, `validation`, and the refusal of the precondition.
 */
export const buildSwitchSecret = (ports: {
  changeIntegration: ChangeIntegration;
  secrets: SecretSealer;
  now: () => Date;
}): WriteIntegration => {
  const seal = buildSealWebhookSecret(ports);
  return async ({ body, precondition, ...integrationAndActor }) => {
    const integration = await ports.changeIntegration(integrationAndActor, async (stored) => {
      precondition(stored);
      const { webhookSecret, overlapSeconds } = parseRequestDocument(secretSwitch, body, {
        name: 'SecretSwitch',
      });
      const overlap = { now: ports.now(), overlapSeconds };
      const named = await seal(webhookSecret, stored);
      const switched = switchedSecrets(stored.config, named, overlap);
      if ('fault' in switched) throw notPrepared(switched.fault);
      return { config: withSecrets(stored.config, switched) };
    });
    return { integration, warnings: [] };
  };
};

const notPrepared = (detail: string): Refusal =>
  new Refusal('validation', 'The integration has not prepared this secret.', [
    { pointer: '/webhookSecret', detail },
  ]);

const withSecrets = (
  { webhookSecret: _, nextWebhookSecret: __, previousSecrets: ___, ...config }: Config,
  secrets: SigningSecrets<SealedSecret>,
): Config => ({ ...config, ...secrets });

type Config = IntegrationSettings['config'];
