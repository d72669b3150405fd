import type { HostAddresses } from '../../../core/integration/settings-of.ts';

/** Names without an entry do not resolve. */
export class InMemoryHostAddresses implements HostAddresses {
  readonly #addresses: Readonly<Record<string, readonly string[]>>;

  constructor(addresses: Readonly<Record<string, readonly string[]>> = {}) {
    this.#addresses = addresses;
  }

  async resolve(hostname: string): Promise<readonly string[]> {
    return this.#addresses[hostname] ?? [];
  }
}
