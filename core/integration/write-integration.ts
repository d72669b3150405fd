import type { GuardPolicy } from './address-guard.ts';
import type { ChangeIntegration, Precondition } from './change-integration.ts';
import { settingsIn } from './found-settings.ts';
import { isSameHeader } from './header-rules.ts';
import type { Actor, Integration, IntegrationKey } from './integration.ts';
import {
  type IntegrationResource,
  presentIntegration,
  type Warning,
} from './integration-resource.ts';
import { buildSealConfig, buildSealWebhookSecret, type SecretSealer } from './secret-sealing.ts';
import { askedOnce, buildSettingsOf, type HostAddresses } from './settings-of.ts';
import { writtenSecrets } from './webhook-secrets.ts';

/** The secrets are those that the call has set or made, and that its answer shows. */
export interface Written {
  readonly integration: Integration;
  readonly newSecret?: string | undefined;
  readonly nextSecret?: string | undefined;
  readonly warnings: readonly Warning[];
}

export type WriteIntegration = (
  request: IntegrationKey & { by: Actor; body: unknown; precondition: Precondition },
) => Promise<Written>;

interface Ports {
  changeIntegration: ChangeIntegration;
  hosts: HostAddresses;
  guard: GuardPolicy;
  secrets: SecretSealer;
  now: () => Date;
}

/**
 * Replaces all settings. Without another webhook secret the stored ones stay; without a client
 * secret the stored one is removed. Throws `not-found`, `validation`, and the refusal of the
 * precondition.
 */
export const buildReplaceIntegration = (ports: Ports): WriteIntegration =>
  buildWriteIntegration(ports, (_stored, body) => body);

const buildWriteIntegration = (
  ports: Ports,
  documentOf: (stored: Integration, body: unknown) => unknown,
): WriteIntegration => {
  const sealConfig = buildSealConfig(ports);
  const sealWebhookSecret = buildSealWebhookSecret(ports);
  return async ({ body, precondition, ...integrationAndActor }) => {
    const settingsOf = buildSettingsOf({ ...ports, hosts: askedOnce(ports.hosts) });
    let newSecret: string | undefined;
    let warnings: readonly Warning[] = [];
    const integration = await ports.changeIntegration(integrationAndActor, async (stored) => {
      precondition(stored);
      const checked = await settingsOf(documentOf(stored, body), stored.config);
      const requested = checked.settings;
      warnings = checked.warnings;
      const { webhookSecret, ...config } = requested.config;
      newSecret = webhookSecret;
      const written =
        webhookSecret === undefined ? undefined : await sealWebhookSecret(webhookSecret, stored);
      const secrets = writtenSecrets(stored.config, written, { now: ports.now() });
      // The caller cannot name event types of a later version.
      const actions = { ...stored.settings.actions, ...requested.settings.actions };
      return {
        ...requested,
        settings: { ...requested.settings, actions },
        config: await sealConfig({ ...config, ...secrets }, stored),
      };
    });
    return { integration, newSecret, warnings };
  };
};

/**
 * By a JSON Merge Patch of the document that a read shows, with secrets as `[FILTERED]`; `null`
 * removes a client secret and keeps the webhook secret. Throws as a replacement does.
 */
export const buildPatchIntegration = (ports: Ports): WriteIntegration =>
  buildWriteIntegration(ports, (stored, patch) =>
    mergePatch(spelledAs(patch, presentIntegration(stored, ports.now())), patch),
  );

/** The patched document, with the names of its headers as the patch spells them. */
const spelledAs = (patch: unknown, { config, ...shown }: IntegrationResource): unknown => {
  const names = settingsIn(patch).flatMap(({ path, steps }) =>
    path === 'config.headers' ? steps.slice(-1) : [],
  );
  const headers = Object.entries(config.headers ?? {}).map(([name, value]) => [
    names.find((other) => isSameHeader(other, name)) ?? name,
    value,
  ]);
  return { ...shown, config: { ...config, headers: Object.fromEntries(headers) } };
};

/** JSON Merge Patch (RFC 7396). */
export const mergePatch = (target: unknown, patch: unknown): unknown => {
  if (!isObject(patch)) return patch;
  const merged = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  return Object.fromEntries(merged);
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
