import ipaddr from 'ipaddr.js';

export interface GuardPolicy {
  /** True only where the service runs on one machine, whose receivers listen on loopback. */
  readonly allowLoopback: boolean;
  /** Names of the service’s own API and console, to which no webhook may lead. */
  readonly ownHosts?: readonly string[];
}

export const MAX_URL_LENGTH = 2_048;

/** The only part of IPv6 that is allocated as global unicast (RFC 4291, IANA registry). */
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Addresses in public ranges that lead to a cloud's own services (Azure's wire server). */
const CLOUD_SERVICES = new Set(['168.63.129.16']);

/**
 * Whether the service may connect to an address: global unicast, and loopback where the policy
 * allows it. Refuses IPv6 addresses that contain an IPv4 address (mapped, NAT64, 6to4, Teredo), too.
 */
export const isDeliverableAddress = (address: string, policy: GuardPolicy): boolean => {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (range === 'loopback') return policy.allowLoopback;
  if (range !== 'unicast' || CLOUD_SERVICES.has(parsed.toString())) return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST_V6);
};

/** The IP address, without brackets, of a URL whose host is an IP address; undefined for a name. */
export const literalAddress = (hostname: string): string | undefined => {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(bare) ? bare : undefined;
};

const isLoopbackName = (hostname: string): boolean =>
  /(^|\.)localhost$/.test(hostname.replace(/\.$/, ''));

/** Whether nothing is between two dots, or before the first dot. A dot at the end is the root. */
const hasEmptyLabel = (hostname: string): boolean =>
  hostname.replace(/\.$/, '').split('.').includes('');

/** Why a URL is refused, before its host is resolved. `URL` normalises notations of addresses. */
export const urlRefusal = (text: string, policy: GuardPolicy): string | undefined => {
  if (text.length > MAX_URL_LENGTH) return `must be at most ${MAX_URL_LENGTH} characters`;
  // `URL` would silently repair the two faults below, and another client might not.
  if (!text.isWellFormed()) return 'must be well-formed Unicode';
  if (/[\s\p{C}\p{Default_Ignorable_Code_Point}\uFFFD\\]/u.test(text)) {
    return 'must not contain white space, control characters, invisible or undefined characters, or backslashes';
  }
  const url = URL.parse(text);
  if (url === null) return 'must be an absolute URL';
  if (!/^https:\/\/[^/]/i.test(text)) return 'must be an https:// URL';
  if (/^[^/]*\/\/[^/?#]*@/.test(text)) return 'must not carry user information';
  if (text.includes('#')) return 'must not have a fragment';
  if (url.port === '0') return 'must not have the port 0';
  if (hasEmptyLabel(url.hostname)) return 'must not have an empty label in its host name';
  if (policy.ownHosts?.includes(url.hostname.replace(/\.$/, ''))) {
    return 'must not lead to this service itself';
  }
  const address = literalAddress(url.hostname);
  const refused =
    address === undefined
      ? isLoopbackName(url.hostname) && !policy.allowLoopback
      : !isDeliverableAddress(address, policy);
  return refused ? ADDRESS_REFUSAL : undefined;
};

export const ADDRESS_REFUSAL = 'must not lead to a private, local or otherwise reserved address';
