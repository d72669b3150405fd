import type { GuardPolicy } from '../../core/integration/address-guard.ts';
import type { HostAddresses } from '../../core/integration/settings-of.ts';
import { NameUnresolved } from './connection-fault.ts';
import { hostResolution, type Resolution, type ResolveHost } from './host-resolution.ts';

/** Meanwhile a save occupies a function that all customers share. Each attempt looks again. */
const SAVE_TIMEOUT_MS = 400;

export class DnsHostAddresses implements HostAddresses {
  readonly #resolve: ResolveHost;

  constructor(
    policy: GuardPolicy,
    { timeoutMs = SAVE_TIMEOUT_MS, servers }: Partial<Resolution> = {},
  ) {
    this.#resolve = hostResolution(policy, { timeoutMs, servers });
  }

  async resolve(hostname: string): Promise<readonly string[] | undefined> {
    try {
      return (await this.#resolve(hostname)).map(({ address }) => address);
    } catch (fault) {
      return fault instanceof NameUnresolved && fault.isTimeout ? undefined : [];
    }
  }
}
