import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly inBundle?: boolean;
  readonly optional?: boolean;
  readonly cpu?: readonly string[];
  readonly engines?: { readonly node?: string };
}

/** `npm ci` as run by a Node of this version, which is then asked whether it is new enough. */
const checkNode = (version: string) =>
  spawnSync(
    process.execPath,
    [
      '-e',
      `Object.defineProperty(process, 'version', { value: 'v${version}' });
       require('./tools/release/check-node.cjs');`,
    ],
    { encoding: 'utf8' },
  );

/** Of the packages that are installed on no processor but WebAssembly. */
const WEB_ASSEMBLY_RUNTIME = '^20.19.0 || ^22.13.0 || >=23.5.0';

const numbersOf = (version: string) => version.split('.').map(Number);

/** Whether a range has the version, of ranges like `^20.19.0 || >=22.12.0`. */
const hasVersion = (ranges: string, version: string): boolean =>
  ranges.split(' || ').some((range) => {
    const [, sign = '', least = ''] = /^(\^|>=) ?(\d+[.\d]*)$/.exec(range) ?? [];
    const [given, wanted] = [numbersOf(version), numbersOf(least)];
    const differs = given.findIndex((number, at) => number !== (wanted[at] ?? 0));
    if (sign === '' || (sign === '^' && differs === 0)) return false;
    return differs < 0 || (given[differs] ?? 0) > (wanted[differs] ?? 0);
  });

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

  it('has no package that npm leaves out for the least Node that we accept', async () => {
    const { engines } = JSON.parse(await readFile('package.json', 'utf8'));
    const floors: string[] = engines.node.match(/\d+\.\d+\.\d+/g) ?? [];
    const wanted = Object.values(packages).flatMap(({ optional, cpu, engines }) =>
      optional && engines?.node && !cpu?.includes('wasm32') ? [engines.node] : [],
    );
    const ranges = [...new Set(wanted)].filter((range) => range !== WEB_ASSEMBLY_RUNTIME);

    expect(floors).toHaveLength(2);
    expect(ranges.length).toBeGreaterThan(4);
    for (const floor of floors) {
      expect(ranges.filter((range) => !hasVersion(range, floor))).toEqual([]);
    }
    // No lower one would do.
    expect(ranges.filter((range) => !hasVersion(range, '20.18.9')).length).toBeGreaterThan(0);
    expect(ranges.filter((range) => !hasVersion(range, '22.11.9')).length).toBeGreaterThan(0);
  });

  it.each(['18.20.4', '20.18.1', '21.7.3', '22.0.0', '22.11.0'])(
    'is not installed without a word by Node %s',
    (version) => {
      const { status, stderr } = checkNode(version);

      expect(status).toBe(1);
      expect(stderr).toBe(
        `error: this needs Node 20.19, 22.12 or later; you have ${version}. Install it, delete node_modules, and run npm ci again.\n`,
      );
    },
  );

  it.each(['20.19.0', '20.20.2', '22.12.0', '22.13.1', '23.0.0', '24.21.0', '26.1.0'])(
    'is installed by Node %s',
    (version) => {
      expect(checkNode(version)).toMatchObject({ status: 0, stderr: '' });
    },
  );

  it('has one version of the clients of the AWS SDK', async () => {
    const { dependencies, devDependencies } = JSON.parse(await readFile('package.json', 'utf8'));
    const clients = Object.keys({ ...dependencies, ...devDependencies }).filter((name) =>
      /^@aws-sdk\/(client-|lib-dynamodb)/.test(name),
    );

    expect(clients.length).toBeGreaterThan(5);
    expect(new Set(clients.map((name) => packages[`node_modules/${name}`]?.version)).size).toBe(1);
  });
});
