import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly inBundle?: boolean;
}

describe('package-lock.json', async () => {
  const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
    packages: Record<string, Locked>;
  };

  it('has the integrity of every package that can be installed by it', () => {
    const unsure = Object.entries(packages).filter(
      ([path, { integrity, link, inBundle }]) =>
        path.includes('node_modules/') && !integrity && !link && !inBundle,
    );

    expect(unsure).toEqual([]);
    expect(Object.keys(packages).length).toBeGreaterThan(100);
  });

  it('has one version of the clients of the AWS SDK', async () => {
    const { dependencies, devDependencies } = JSON.parse(await readFile('package.json', 'utf8'));
    const clients = Object.keys({ ...dependencies, ...devDependencies }).filter((name) =>
      /^@aws-sdk\/(client-|lib-dynamodb)/.test(name),
    );

    expect(clients.length).toBeGreaterThan(5);
    expect(new Set(clients.map((name) => packages[`node_modules/${name}`]?.version)).size).toBe(1);
  });
});
