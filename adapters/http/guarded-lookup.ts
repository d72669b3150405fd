import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { type GuardPolicy, isDeliverableAddress } from '../../core/integration/address-guard.ts';
import { AddressRefused } from './connection-fault.ts';

/**
 * Resolves a name and returns its addresses if the guard allows all of them; a single refused
 * address refuses the name. The socket connects to the returned addresses, so no second resolution
 * can get around the guard. Node looks up names only: a URL whose host is an IP address is checked
 * before.
 */
export const guardedLookup =
  (policy: GuardPolicy): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      if (!addresses.every(({ address }) => isDeliverableAddress(address, policy))) {
        return callback(new AddressRefused(), []);
      }
      if (options.all) return callback(null, addresses);
      const first = addresses[0];
      return callback(null, first?.address ?? '', first?.family);
    });
  };
