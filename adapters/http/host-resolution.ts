import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import type { GuardPolicy } from '../../core/integration/address-guard.ts';
import { NameUnresolved } from './connection-fault.ts';

/** Rejects with `NameUnresolved` if there is none, or no answer in time. */
export type ResolveHost = (hostname: string) => Promise<readonly LookupAddress[]>;

export interface Resolution {
  readonly timeoutMs: number;
  /** Name servers, each an IP address with a port; those of the machine by default. */
  readonly servers?: readonly string[] | undefined;
}

/**
 * Asks DNS: `lookup` would occupy one of libuv's few threads, which other customers' names need, until
 * the system gives up, long after the attempt has. A run on one machine, where loopback is allowed,
 * also knows the machine's own names.
 */
export const hostResolution = (
  { allowLoopback }: GuardPolicy,
  resolution: Resolution,
): ResolveHost => {
  const isLocal = allowLoopback && resolution.servers === undefined;
  const addressesOf = isLocal ? addressesBySystem : addressesByDns;
  return async (hostname) => {
    try {
      return await addressesOf(hostname, resolution);
    } catch (fault) {
      throw new NameUnresolved(fault);
    }
  };
};

/** The time of a try doubles with each: a silent name server has three within the timeout. */
const TRIES = 3;
const firstTryMs = (timeoutMs: number) => Math.ceil(timeoutMs / 8);

const addressesByDns = async (
  hostname: string,
  { timeoutMs, servers }: Resolution,
): Promise<LookupAddress[]> => {
  const timeout = firstTryMs(timeoutMs);
  const resolver = new Resolver({ timeout, tries: TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  let timer = setTimeout(cancel, timeoutMs);
  // Only IPv4 can be connected to, and some name servers never answer when asked for IPv6.
  const ipv4 = resolver.resolve4(hostname).finally(() => {
    clearTimeout(timer);
    timer = setTimeout(cancel, timeout);
  });
  const [four, six] = await Promise.allSettled([ipv4, resolver.resolve6(hostname)]);
  clearTimeout(timer);
  if (four.status === 'rejected' && four.reason.code !== 'ENODATA') throw four.reason;
  const addresses = [
    ...(four.status === 'fulfilled' ? four.value : []).map((address) => ({ address, family: 4 })),
    ...(six.status === 'fulfilled' ? six.value : []).map((address) => ({ address, family: 6 })),
  ];
  // An alias that leads to no address is answered with an empty list, and no error.
  if (addresses.length === 0) throw { code: 'ENODATA' };
  return addresses;
};

const addressesBySystem = async (
  hostname: string,
  { timeoutMs }: Resolution,
): Promise<LookupAddress[]> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(reject, timeoutMs, { code: 'ETIMEOUT' });
  const addresses = lookup(hostname, { all: true });
  return Promise.race([addresses, promise]).finally(() => clearTimeout(timer));
};
