import type { GuardPolicy } from './address-guard.ts';
import type { ChangeIntegration } from './change-integration.ts';
import { presentIntegration } from './integration-resource.ts';
import { buildWriteIntegration, type WriteIntegration } from './replace-integration.ts';
import type { HostAddresses } from './settings-of.ts';
import type { SecretSealer } from './stored-secrets.ts';

/**
 * Changes an integration by a JSON Merge Patch of the document that a read shows, in which secrets
 * are `[FILTERED]`. The result is written as a replacement is. So `null` removes a client secret,
 * and leaves the webhook secret as it is. Throws what a replacement throws.
 */
export const buildPatchIntegration = (ports: {
  changeIntegration: ChangeIntegration;
  hosts: HostAddresses;
  guard: GuardPolicy;
  secrets: SecretSealer;
  now: () => Date;
}): WriteIntegration =>
  buildWriteIntegration(ports, (stored, patch) =>
    mergePatch(presentIntegration(stored, ports.now()), patch),
  );

/**
 * JSON Merge Patch (RFC 7396): a member of the patch replaces, `null` removes, and a patch that is
 * no object replaces the whole target.
 */
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
