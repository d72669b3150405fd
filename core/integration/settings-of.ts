import ipaddr from 'ipaddr.js';
import { dataSchemaOf } from '../event/event-catalogue.ts';
import { type FilterFault, filterFaults } from '../event/event-filter.ts';
import { EVENT_TYPES } from '../event/event-types.ts';
import { filterWarnings } from '../event/filter-names.ts';
import { pointerTo } from '../json-ld/request-document.ts';
import type { Fault } from '../refusal.ts';
import {
  ADDRESS_REFUSAL,
  type GuardPolicy,
  isDeliverableAddress,
  literalAddress,
  urlRefusal,
} from './address-guard.ts';
import { type EndpointHeaders, FILTERED } from './endpoint-headers.ts';
import { type FoundSetting, settingsIn } from './found-settings.ts';
import { headerFaults, headerNamed } from './header-rules.ts';
import { type IntegrationDocument, parseIntegrationDocument } from './integration-document.ts';
import type { Warning } from './integration-resource.ts';
import type { Unsealed } from './secret-sealing.ts';
import { type IntegrationSettings, SETTINGS } from './settings.ts';

export interface HostAddresses {
  /** Every address that a host name resolves to; undefined when there is no answer in time. */
  resolve(hostname: string): Promise<readonly string[] | undefined>;
}

/** For one request, which may be tried again when it loses a race: asks once for each name. */
export const askedOnce = (hosts: HostAddresses): HostAddresses => {
  const answers = new Map<string, ReturnType<HostAddresses['resolve']>>();
  return {
    resolve: (hostname) => {
      const answer = answers.get(hostname) ?? hosts.resolve(hostname);
      answers.set(hostname, answer);
      return answer;
    },
  };
};

interface Ports {
  readonly hosts: HostAddresses;
  readonly guard: GuardPolicy;
}

export interface RequestedSettings extends Omit<IntegrationDocument, 'config'> {
  /** Stored secrets where the document keeps those; without a webhook secret if it sets none. */
  readonly config: Omit<Unsealed, 'webhookSecret'> & { readonly webhookSecret?: string };
}

/**
 * Parses an Integration as a caller wrote it. Checks its address unless it is the stored one: an
 * integration with a refused address can still be made inactive, and each connection is guarded.
 * `[FILTERED]` keeps a stored secret, that of a header only for the same origin. Throws a `validation` refusal that names every wrong member.
 * Warns of a name that does not resolve, or only to IPv6 addresses, or was not checked, and of what a
 * filter names and no subscribed event type has.
 */
export const buildSettingsOf =
  (ports: Ports) =>
  async (
    document: unknown,
    stored?: IntegrationSettings['config'],
  ): Promise<{ settings: RequestedSettings; warnings: readonly Warning[] }> => {
    const { faults, warnings } = await checkedConfig(settingsIn(document), {
      stored,
      ...ports,
    });
    const requested = parseIntegrationDocument(document, faults);
    const { webhookSecret, nextWebhookSecret, clientSecret, headers, ...config } = requested.config;
    const storedOrSet = clientSecret === FILTERED ? stored?.clientSecret : clientSecret;
    const settings = {
      ...requested,
      config: {
        ...config,
        ...(webhookSecret !== undefined && webhookSecret !== FILTERED && { webhookSecret }),
        ...(storedOrSet !== undefined && { clientSecret: storedOrSet }),
        ...storedOrSetHeaders(headers, stored),
      },
    };
    return { settings, warnings: [...warnings, ...namesWithoutEvents(requested.settings)] };
  };

const namesWithoutEvents = ({
  filter,
  actions,
}: IntegrationDocument['settings']): readonly Warning[] => {
  if (filter === undefined) return [];
  const schemas = EVENT_TYPES.filter((type) => actions[type]).map(dataSchemaOf);
  return filterWarnings(JSON.parse(filter), schemas).map(aboutFilter);
};

const aboutFilter = ({ path, detail }: FilterFault) => ({
  pointer: pointerTo(['settings', 'filter', ...path]),
  detail,
});

const storedOrSetHeaders = (
  headers: EndpointHeaders<string> = {},
  stored: IntegrationSettings['config'] | undefined,
): Pick<RequestedSettings['config'], 'headers'> => {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    value === FILTERED ? headerNamed(stored?.headers, name) : value,
  ]);
  return entries.length === 0 ? {} : { headers: Object.fromEntries(entries) };
};

const checkedConfig = async (
  written: readonly FoundSetting[],
  { stored, ...ports }: Ports & { stored: IntegrationSettings['config'] | undefined },
): Promise<{ faults: readonly Fault[]; warnings: readonly Warning[] }> => {
  const url = written.find(({ path }) => path === 'config.baseUrl');
  const { refusal, warning } =
    typeof url?.value === 'string' && url.value !== stored?.baseUrl
      ? await checkedUrl(url.value, ports)
      : {};
  const storedKeys = new Set(settingsIn({ config: stored }).map(({ key }) => key));
  const filter = written.find(({ path }) => path === 'settings.filter');
  const headers = written.filter(({ path }) => path === 'config.headers');
  const kept = written.filter(
    ({ path, value }) =>
      value === FILTERED &&
      SETTINGS[path].holds === 'secret' &&
      path !== 'config.nextWebhookSecret',
  );
  const missing = kept.filter(({ key }) => !storedKeys.has(key));
  const left = isOtherOrigin(url?.value, stored)
    ? kept.filter(({ path, key }) => path === 'config.headers' && storedKeys.has(key))
    : [];
  return {
    faults: [
      ...about(url, refusal),
      ...missing.flatMap((setting) =>
        about(setting, `must not be ${FILTERED}: no value is stored`),
      ),
      ...left.flatMap((setting) => about(setting, OTHER_ORIGIN)),
      ...headerFaults(headers.map(({ steps }) => steps.at(-1) ?? '')).map(({ name, detail }) => ({
        pointer: pointerTo(['config', 'headers', name]),
        detail,
      })),
      ...filterFaults(filter?.value).map(aboutFilter),
    ],
    warnings: about(url, warning),
  };
};

const about = (
  setting: FoundSetting | undefined,
  detail: string | undefined,
): readonly Warning[] =>
  setting === undefined || detail === undefined
    ? []
    : [{ pointer: pointerTo(setting.steps), detail }];

/** Case and a default port make no other origin. A URL that cannot be parsed is a fault itself. */
const isOtherOrigin = (
  baseUrl: unknown,
  stored: IntegrationSettings['config'] | undefined,
): boolean => {
  const [from, to] = [stored?.baseUrl, baseUrl].map((url) =>
    typeof url === 'string' ? URL.parse(url)?.origin : undefined,
  );
  return from !== undefined && to !== undefined && from !== to;
};

/** A stored value would be sent to whoever has the new address. */
const OTHER_ORIGIN =
  'must be sent again: the scheme, host or port of baseUrl changes, and the stored value was for the old one';

const checkedUrl = async (
  baseUrl: string,
  { guard, hosts }: Ports,
): Promise<{ refusal?: string; warning?: string }> => {
  const refusal = urlRefusal(baseUrl, guard);
  if (refusal !== undefined) return { refusal };
  const { hostname } = new URL(baseUrl);
  const literal = literalAddress(hostname);
  if (literal !== undefined) return isReachableAddress(literal) ? {} : { refusal: IPV6_REFUSAL };
  const addresses = await hosts.resolve(hostname);
  if (addresses === undefined) return { warning: UNCHECKED_WARNING };
  if (addresses.length === 0) return { warning: UNRESOLVED_WARNING };
  const isSafe = addresses.every((address) => isDeliverableAddress(address, guard));
  if (!isSafe) return { refusal: ADDRESS_REFUSAL };
  return addresses.some(isReachableAddress) ? {} : { warning: NO_IPV4_WARNING };
};

/** Functions outside a VPC reach no IPv6, except loopback on one machine. */
const isReachableAddress = (address: string): boolean => {
  const parsed = ipaddr.parse(address);
  return parsed instanceof ipaddr.IPv4 || parsed.range() === 'loopback';
};

/** A warning, because the name may be registered later. */
const UNRESOLVED_WARNING =
  'its host name could not be resolved. Until it can be, attempts fail and events are pending';

const UNCHECKED_WARNING =
  'its addresses were not checked, because DNS did not answer in time. Each attempt checks them, and fails until it can';

/** A warning, because the name may get an IPv4 address later. */
const NO_IPV4_WARNING =
  'its host name has no IPv4 address, and the service does not reach IPv6. Until it has one, attempts fail and events are pending';

const IPV6_REFUSAL = 'must not have an IPv6 address as its host: the service does not reach IPv6';
