import type { Fault } from '../refusal.ts';
import {
  ADDRESS_REFUSAL,
  type GuardPolicy,
  isDeliverableAddress,
  urlRefusal,
} from './address-guard.ts';
import type { IntegrationSettings } from './integration.ts';
import {
  configAsWritten,
  type IntegrationDocument,
  parseIntegrationDocument,
} from './integration-document.ts';
import { FILTERED } from './integration-resource.ts';
import type { StoredSecret } from './stored-secrets.ts';

export interface HostAddresses {
  /** Every address that a host name resolves to; empty when it does not resolve in time. */
  resolve(hostname: string): Promise<readonly string[]>;
}

interface Ports {
  readonly hosts: HostAddresses;
  readonly guard: GuardPolicy;
}

/** The settings that a document asks for. */
export interface RequestedSettings extends Omit<IntegrationDocument, 'config'> {
  readonly config: {
    readonly baseUrl: string;
    /** Absent when the document sets none. */
    readonly webhookSecret?: string;
    /** The stored client secret, when the document keeps that. */
    readonly clientSecret?: StoredSecret;
  };
}

export type SettingsOf = (
  document: unknown,
  stored?: IntegrationSettings['config'],
) => Promise<RequestedSettings>;

/**
 * Parses an Integration as a caller wrote it, and checks its address unless the address is the
 * stored one: an integration whose address is refused by now can still be made inactive, and each
 * connection is guarded anyway. A client secret of `[FILTERED]` keeps the stored client secret; a
 * webhook secret of `[FILTERED]` sets none. `[FILTERED]` is refused where no secret is stored.
 * Throws a `validation` refusal that names every member that is wrong.
 */
export const buildSettingsOf =
  (ports: Ports): SettingsOf =>
  async (document, stored) => {
    const faults = await configFaults(configAsWritten(document), { stored, ...ports });
    const requested = parseIntegrationDocument(document, faults);
    const { webhookSecret, clientSecret, ...config } = requested.config;
    const keptOrSet = clientSecret === FILTERED ? stored?.clientSecret : clientSecret;
    return {
      ...requested,
      config: {
        ...config,
        ...(webhookSecret !== undefined && webhookSecret !== FILTERED && { webhookSecret }),
        ...(keptOrSet !== undefined && { clientSecret: keptOrSet }),
      },
    };
  };

/** What is wrong with a `config` by what is stored, and by where its address leads. */
const configFaults = async (
  { baseUrl, ...secrets }: ReturnType<typeof configAsWritten>,
  { stored, ...ports }: Ports & { stored: IntegrationSettings['config'] | undefined },
): Promise<Fault[]> => {
  const isNewUrl = baseUrl !== undefined && baseUrl !== stored?.baseUrl;
  const refusal = isNewUrl ? await unsafeUrlRefusal(baseUrl, ports) : undefined;
  const missing = (['webhookSecret', 'clientSecret'] as const).filter(
    (member) => secrets[member] === FILTERED && stored?.[member] === undefined,
  );
  return [
    ...(refusal === undefined ? [] : [configFault('baseUrl', refusal)]),
    ...missing.map((member) =>
      configFault(member, `must not be ${FILTERED}: there is none stored yet`),
    ),
  ];
};

const configFault = (member: string, detail: string): Fault => ({
  pointer: `/config/${member}`,
  detail,
});

const unsafeUrlRefusal = async (
  baseUrl: string,
  { guard, hosts }: Ports,
): Promise<string | undefined> => {
  const refusal = urlRefusal(baseUrl, guard);
  if (refusal !== undefined) return refusal;
  const addresses = await hosts.resolve(new URL(baseUrl).hostname);
  const isSafe = addresses.every((address) => isDeliverableAddress(address, guard));
  return isSafe ? undefined : ADDRESS_REFUSAL;
};
