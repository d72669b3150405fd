import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { buildSync } from 'esbuild';
import { BUNDLE_OPTIONS } from './bundle-options.ts';
import { renderGuides } from './guides.ts';

export const LAMBDAS = resolve(import.meta.dirname, '../../lambdas');

/** The module of each function, with its environment schema, its composition and its handler. */
export const FUNCTION_MODULES = {
  'announce-changes': 'consumers/announce-changes/compose.ts',
  'authorize-request': 'authorize-request/compose.ts',
  'change-api': 'api/change-api.ts',
  'count-attempts': 'consumers/count-attempts/compose.ts',
  'deliver-slowly': 'consumers/deliver-slowly/compose.ts',
  'deliver-webhook': 'consumers/deliver-webhook/compose.ts',
  'read-api': 'api/read-api.ts',
  'receive-canary': 'canary/receive-canary/compose.ts',
  'retry-hourly': 'consumers/retry-hourly/compose.ts',
  'route-event': 'consumers/route-event/compose.ts',
  'run-replay': 'consumers/run-replay/compose.ts',
  'send-api': 'api/send-api.ts',
  'send-canary': 'canary/send-canary/compose.ts',
  'send-notices': 'consumers/send-notices/compose.ts',
  'serve-reference': 'api/serve-reference.ts',
} as const;

export type FunctionName = keyof typeof FUNCTION_MODULES;

/**
 * The code of a function in lambdas/. The first call bundles all functions in one build, which
 * reads shared modules once and takes a second.
 */
export const bundleOf = (scope: Construct, name: FunctionName): Code => {
  if (!Stack.of(scope).bundlingRequired) return Code.fromAsset(LAMBDAS);
  bundles ??= bundleAll();
  return Code.fromAsset(join(bundles, name));
};

let bundles: string | undefined;

const bundleAll = (): string => {
  const outdir = mkdtempSync(join(tmpdir(), 'bundles-'));
  // CDK has copied the bundles it uses to the cloud assembly by then.
  process.once('exit', () => rmSync(outdir, { recursive: true, force: true }));
  const entries = join(outdir, 'entries');
  mkdirSync(entries);
  buildSync({
    entryPoints: Object.entries(FUNCTION_MODULES).map(([name, module]) => {
      const file = join(entries, `${name}.ts`);
      writeFileSync(file, entryOf(module));
      return { in: file, out: `${name}/index` };
    }),
    outdir,
    outExtension: { '.js': '.mjs' },
    ...BUNDLE_OPTIONS,
    logLevel: 'warning',
  });
  writeFileSync(join(outdir, 'serve-reference', 'guides.json'), JSON.stringify(renderGuides()));
  return outdir;
};

/** The file that Lambda loads. It composes the handler when the sandbox starts. */
const entryOf = (module: string): string => {
  const [start, file] = module.startsWith('api/')
    ? ['apiEntry', 'api/runtime/api-entry.ts']
    : ['entry', 'runtime/entry.ts'];
  return `import { ${start} } from ${JSON.stringify(join(LAMBDAS, file))};
import * as parts from ${JSON.stringify(join(LAMBDAS, module))};
export const handler = ${start}(process.env, parts);
`;
};
