import { invalidDocument } from '../json-ld/request-document.ts';
import type { Refusal } from '../refusal.ts';
import {
  ADDRESS_REFUSAL,
  type GuardPolicy,
  isDeliverableAddress,
  urlRefusal,
} from './address-guard.ts';
import type { IntegrationSettings } from './integration.ts';
import { type IntegrationDocument, parseIntegrationDocument } from './integration-document.ts';
import { FILTERED } from './integration-resource.ts';

export interface HostAddresses {
  /** Every address that a host name resolves to; empty when it does not resolve in time. */
  resolve(hostname: string): Promise<readonly string[]>;
}

/** The settings that a document asks for. `webhookSecret` is absent when the document sets none. */
export type SettingsOf = (
  document: unknown,
  stored?: IntegrationSettings['config'],
) => Promise<IntegrationDocument>;

/**
 * Parses an Integration as a caller wrote it, and checks its address unless the address is the
 * stored one: an integration whose address is refused by now can still be made inactive, and each
 * connection is guarded anyway. A client secret of `[FILTERED]` keeps the stored client secret; a
 * webhook secret of `[FILTERED]` sets none. `[FILTERED]` is refused where no secret is stored.
 * Throws `validation` refusals.
 */
export const buildSettingsOf =
  (ports: { hosts: HostAddresses; guard: GuardPolicy }): SettingsOf =>
  async (document, stored) => {
    const requested = parseIntegrationDocument(document);
    const { webhookSecret, clientSecret, ...config } = requested.config;
    if (config.baseUrl !== stored?.baseUrl) await refuseUnsafeUrl(config.baseUrl, ports);
    if (webhookSecret === FILTERED && !stored) throw nothingStored('webhookSecret');
    const keptOrSet = clientSecret === FILTERED ? stored?.clientSecret : clientSecret;
    if (clientSecret === FILTERED && keptOrSet === undefined) throw nothingStored('clientSecret');
    return {
      ...requested,
      config: {
        ...config,
        ...(webhookSecret !== undefined && webhookSecret !== FILTERED && { webhookSecret }),
        ...(keptOrSet !== undefined && { clientSecret: keptOrSet }),
      },
    };
  };

const nothingStored = (member: string): Refusal =>
  invalidConfig(member, `must not be ${FILTERED}: there is none stored yet`);

const invalidConfig = (member: string, detail: string): Refusal =>
  invalidDocument('Integration', [{ pointer: `/config/${member}`, detail }]);

const refuseUnsafeUrl = async (
  baseUrl: string,
  { guard, hosts }: { guard: GuardPolicy; hosts: HostAddresses },
): Promise<void> => {
  const refusal = urlRefusal(baseUrl, guard);
  if (refusal !== undefined) throw invalidConfig('baseUrl', refusal);
  const addresses = await hosts.resolve(new URL(baseUrl).hostname);
  if (addresses.every((address) => isDeliverableAddress(address, guard))) return;
  throw invalidConfig('baseUrl', ADDRESS_REFUSAL);
};
