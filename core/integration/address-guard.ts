import ipaddr from 'ipaddr.js';

export interface GuardPolicy {
  /** True on one's own machine only, where receivers listen on loopback. */
  readonly allowLoopback: boolean;
}

export const MAX_URL_LENGTH = 2_048;

/** 2000::/3 is all of IPv6 that is allocated as global unicast (RFC 4291, IANA registry). */
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Public by number, but a platform service inside a cloud's network (Azure's wire server). */
const CLOUD_SERVICES = new Set(['168.63.129.16']);

/**
 * Whether we may connect to an address: global unicast only. Forms that carry an IPv4 address
 * inside IPv6 (mapped, NAT64, 6to4, Teredo) are refused whatever they carry.
 */
export const isDeliverableAddress = (address: string, policy: GuardPolicy): boolean => {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (range === 'loopback') return policy.allowLoopback;
  if (range !== 'unicast' || CLOUD_SERVICES.has(parsed.toString())) return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST_V6);
};

/** The IP address a URL's host is a literal of, without brackets; undefined for a name. */
export const literalAddress = (hostname: string): string | undefined => {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(bare) ? bare : undefined;
};

const isLoopbackName = (hostname: string): boolean =>
  /(^|\.)localhost$/.test(hostname.replace(/\.$/, ''));

/**
 * Why a webhook's URL is refused before any name is resolved, in words for the integrator;
 * undefined when it is not. `URL` has already normalised decimal, octal, hexadecimal, full-width
 * and trailing-dot notations of an address.
 */
export const urlRefusal = (text: string, policy: GuardPolicy): string | undefined => {
  if (text.length > MAX_URL_LENGTH) return `must be at most ${MAX_URL_LENGTH} characters`;
  // `URL` would mend these in silence, and another client might not.
  if (!text.isWellFormed()) return 'must be well-formed Unicode';
  if (/[\s\\]/.test(text)) return 'must not contain white space or backslashes';
  const url = URL.parse(text);
  if (url === null) return 'must be an absolute URL';
  if (!/^https:\/\/[^/]/i.test(text)) return 'must be an https:// URL';
  if (/^[^/]*\/\/[^/?#]*@/.test(text)) return 'must not carry user information';
  if (text.includes('#')) return 'must not have a fragment';
  const address = literalAddress(url.hostname);
  const refused =
    address === undefined
      ? isLoopbackName(url.hostname) && !policy.allowLoopback
      : !isDeliverableAddress(address, policy);
  return refused ? ADDRESS_REFUSAL : undefined;
};

export const ADDRESS_REFUSAL = 'must not lead to a private, local or otherwise reserved address';
