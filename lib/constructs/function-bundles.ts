import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { buildSync } from 'esbuild';
import { BUNDLE_OPTIONS, TRACED_BUNDLE_OPTIONS } from './bundle-options.ts';

const LAMBDAS = resolve(import.meta.dirname, '../../lambdas');

/**
 * The code of a function in lambdas/. The first call bundles all functions in one build: esbuild
 * reads shared modules once. The build takes a second, and not a second for every four functions.
 */
export const bundleOf = (scope: Construct, name: string, options: BundleWishes): Code =>
  Code.fromAsset(join(Stack.of(scope).bundlingRequired ? bundles(options) : LAMBDAS, name));

interface BundleWishes {
  /** Whether the code makes traces. Without tracing nothing of a tracer is in the bundles. */
  readonly isTraced: boolean;
}

const directories = new Map<boolean, string>();

const bundles = (options: BundleWishes): string => {
  const directory = directories.get(options.isTraced) ?? bundleAll(options);
  directories.set(options.isTraced, directory);
  return directory;
};

const bundleAll = ({ isTraced }: BundleWishes): string => {
  const outdir = mkdtempSync(join(tmpdir(), 'bundles-'));
  // CDK has copied the bundles it uses to the cloud assembly by then.
  process.once('exit', () => rmSync(outdir, { recursive: true, force: true }));
  const entries = readdirSync(LAMBDAS, { recursive: true, encoding: 'utf8' }).filter(
    (file) => basename(file) === 'index.ts',
  );
  buildSync({
    entryPoints: Object.fromEntries(
      entries.map((file) => [`${basename(dirname(file))}/index`, join(LAMBDAS, file)]),
    ),
    outdir,
    outExtension: { '.js': '.mjs' },
    ...BUNDLE_OPTIONS,
    ...(isTraced && TRACED_BUNDLE_OPTIONS),
    logLevel: 'warning',
  });
  return outdir;
};
