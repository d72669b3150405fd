import type { HostAddresses } from '../../../core/integration/settings-of.ts';

/** Names without an entry do not resolve; of `silent` names there is no answer. */
export class InMemoryHostAddresses implements HostAddresses {
  readonly #addresses: Readonly<Record<string, readonly string[] | 'silent'>>;

  constructor(addresses: Readonly<Record<string, readonly string[] | 'silent'>> = {}) {
    this.#addresses = addresses;
  }

  async resolve(hostname: string): Promise<readonly string[] | undefined> {
    const addresses = this.#addresses[hostname] ?? [];
    return addresses === 'silent' ? undefined : addresses;
  }
}
