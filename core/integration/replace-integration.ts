import type { GuardPolicy } from './address-guard.ts';
import type { ChangeIntegration } from './change-integration.ts';
import type { Integration, Precondition } from './integration.ts';
import type { Warning } from './integration-resource.ts';
import { buildSettingsOf, type HostAddresses } from './settings-of.ts';
import { buildSealConfig, buildSealNew, type SecretSealer } from './stored-secrets.ts';
import { writtenSecrets } from './webhook-secrets.ts';

/** `newSecret` is the webhook secret that the call has set or made, and that its answer shows. */
export interface Written {
  readonly integration: Integration;
  readonly newSecret?: string | undefined;
  readonly warnings: readonly Warning[];
}

export type WriteIntegration = (request: {
  account: string;
  id: string;
  /** The parsed JSON body. */
  body: unknown;
  precondition: Precondition;
}) => Promise<Written>;

interface Ports {
  changeIntegration: ChangeIntegration;
  hosts: HostAddresses;
  guard: GuardPolicy;
  secrets: SecretSealer;
  now: () => Date;
}

/**
 * Replaces an integration's settings by a whole document. A document without another webhook secret
 * leaves the stored webhook secret and the previous secrets as they are, because deliveries must
 * stay signed. A document without a client secret removes the stored client secret. Throws
 * `not-found` and `validation` refusals, and what the precondition throws.
 */
export const buildReplaceIntegration = (ports: Ports): WriteIntegration =>
  buildWriteIntegration(ports, (_stored, body) => body);

/** Writes the document that `documentOf` makes of the stored integration and the request's body. */
export const buildWriteIntegration = (
  ports: Ports,
  documentOf: (stored: Integration, body: unknown) => unknown,
): WriteIntegration => {
  const settingsOf = buildSettingsOf(ports);
  const sealConfig = buildSealConfig(ports);
  const sealNew = buildSealNew(ports);
  return async ({ account, id, body, precondition }) => {
    let newSecret: string | undefined;
    let warnings: readonly Warning[] = [];
    const integration = await ports.changeIntegration({ account, id }, async (stored) => {
      precondition(stored);
      const checked = await settingsOf(documentOf(stored, body), stored.config);
      const requested = checked.settings;
      warnings = checked.warnings;
      const { webhookSecret, ...config } = requested.config;
      newSecret = webhookSecret;
      const written =
        webhookSecret === undefined ? undefined : await sealNew(webhookSecret, stored);
      const secrets = writtenSecrets(stored.config, written, { now: ports.now() });
      return { ...requested, config: await sealConfig({ ...config, ...secrets }, stored) };
    });
    return { integration, newSecret, warnings };
  };
};
