import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

interface Locked {
  readonly integrity?: string;
  readonly link?: boolean;
  readonly inBundle?: boolean;
}

describe('package-lock.json', () => {
  it('has the integrity of every package that can be installed by it', async () => {
    const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
      packages: Record<string, Locked>;
    };

    const unsure = Object.entries(packages).filter(
      ([path, { integrity, link, inBundle }]) =>
        path.includes('node_modules/') && !integrity && !link && !inBundle,
    );

    expect(unsure).toEqual([]);
    expect(Object.keys(packages).length).toBeGreaterThan(100);
  });
});
