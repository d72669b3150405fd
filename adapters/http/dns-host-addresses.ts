import { lookup } from 'node:dns/promises';
import type { HostAddresses } from '../../core/integration/settings-of.ts';

const TIMEOUT_MS = 2_000;

export class DnsHostAddresses implements HostAddresses {
  async resolve(hostname: string): Promise<readonly string[]> {
    const timeout = Promise.withResolvers<readonly string[]>();
    const timer = setTimeout(timeout.resolve, TIMEOUT_MS, []);
    const addresses = lookup(hostname, { all: true }).then(
      (answers) => answers.map(({ address }) => address),
      () => [],
    );
    return Promise.race([addresses, timeout.promise]).finally(() => clearTimeout(timer));
  }
}
