import { resolve } from 'node:path';
import type { BuildOptions } from 'esbuild';
import { CONTEXT_DOCUMENTS } from '../../lambdas/get-context/context-documents.ts';

/** Takes the place of the SDK's credential chain, which is a quarter of a function's code. */
const FUNCTION_CREDENTIALS = resolve(import.meta.dirname, '../../adapters/function-credentials.ts');

/** How the code of every function is bundled. */
export const BUNDLE_OPTIONS = {
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
} as const satisfies BuildOptions;
