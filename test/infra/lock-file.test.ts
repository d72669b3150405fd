import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

interface Locked {
  readonly integrity?: string;
  readonly link?: boolean;
  readonly inBundle?: boolean;
  readonly optional?: boolean;
}

/**
 * Binaries for systems other than those that the project is built on, of which the lock file was
 * made without the registry's word: nobody can have them but by `npm install`.
 */
const UNKNOWN = /^node_modules\/(@biomejs\/cli|@oxc-parser\/binding)-/;

describe('package-lock.json', () => {
  it('has the integrity of every package that can be installed by it', async () => {
    const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
      packages: Record<string, Locked>;
    };

    const unsure = Object.entries(packages).filter(
      ([path, { integrity, link, inBundle }]) =>
        path.includes('node_modules/') && !integrity && !link && !inBundle,
    );

    expect(unsure.filter(([path, { optional }]) => !(optional && UNKNOWN.test(path)))).toEqual([]);
    expect(Object.keys(packages).length).toBeGreaterThan(100);
  });
});
