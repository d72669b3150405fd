import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import {
  type GuardPolicy,
  isDeliverableAddress,
  literalAddress,
} from '../../core/integration/address-guard.ts';

/** The delivery guard refused an address at connect time. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/**
 * Resolves a name and returns its addresses if the guard allows all of them; a single refused
 * address refuses the name. The socket connects to the returned addresses, so no second resolution
 * can get around the guard.
 */
const guardedLookup =
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

/** Connects over TLS, within the guard. IP addresses are checked here: Node looks up names only. */
export const guardedConnector = (
  policy: GuardPolicy,
  limits: { connectTimeoutMs: number },
): buildConnector.connector => {
  const connect = buildConnector({
    timeout: limits.connectTimeoutMs,
    lookup: guardedLookup(policy),
    allowH2: false,
  });
  return (options, callback) => {
    const address = literalAddress(options.hostname);
    const refused =
      options.protocol !== 'https:' ||
      (address !== undefined && !isDeliverableAddress(address, policy));
    if (refused) callback(new AddressRefused(), null);
    else connect(options, callback);
  };
};
