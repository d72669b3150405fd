import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { buildSync } from 'esbuild';
import { CONTEXT_DOCUMENTS } from '../../lambdas/get-context/context-documents.ts';

const LAMBDAS = resolve(import.meta.dirname, '../../lambdas');

/** Takes the place of the SDK's credential chain, which is a quarter of a function's code. */
const FUNCTION_CREDENTIALS = resolve(import.meta.dirname, '../../adapters/function-credentials.ts');

/**
 * The code of a function in lambdas/. The first call bundles all functions in one build: esbuild
 * reads shared modules once. The build takes a second, and not a second for every four functions.
 */
export const bundleOf = (scope: Construct, name: string): Code =>
  Code.fromAsset(join(Stack.of(scope).bundlingRequired ? bundles() : LAMBDAS, name));

let directory: string | undefined;

const bundles = (): string => {
  directory ??= bundleAll();
  return directory;
};

const bundleAll = (): string => {
  const outdir = mkdtempSync(join(tmpdir(), 'bundles-'));
  // CDK has copied the bundles it uses to the cloud assembly by then.
  process.once('exit', () => rmSync(outdir, { recursive: true, force: true }));
  const names = readdirSync(LAMBDAS).filter((folder) => !folder.startsWith('_'));
  buildSync({
    entryPoints: Object.fromEntries(
      names.map((name) => [`${name}/index`, join(LAMBDAS, name, 'index.ts')]),
    ),
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    alias: { '@aws-sdk/credential-provider-node': FUNCTION_CREDENTIALS },
    define: {
      BUNDLED_CONTEXT_DOCUMENTS: JSON.stringify(Object.fromEntries(CONTEXT_DOCUMENTS)),
    },
    minify: true,
    // Stack traces then have function names, at the price of 6 % more code.
    keepNames: true,
    // CommonJS dependencies call `require` for Node's own modules, and ESM has no `require`.
    banner: {
      js: "import{createRequire as createRequireForBundle}from'node:module';const require=createRequireForBundle(import.meta.url);",
    },
    logLevel: 'warning',
  });
  return outdir;
};
