import { resolve } from 'node:path';
import type { BuildOptions } from 'esbuild';

const AWS_SDK = resolve(import.meta.dirname, '../../adapters/aws-sdk');

/** Take the place of the SDK's credential chain, a quarter of a function's code, and of `node:http`. */
const FUNCTION_CREDENTIALS = resolve(AWS_SDK, 'function-credentials.ts');
const REQUIRED_HTTP = resolve(AWS_SDK, 'required-http.ts');

/** How the code of every function is bundled. */
export const BUNDLE_OPTIONS = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  mainFields: ['module', 'main'],
  alias: {
    '@aws-sdk/credential-provider-node': FUNCTION_CREDENTIALS,
    http: REQUIRED_HTTP,
    'node:http': REQUIRED_HTTP,
  },
  // Without `minifyIdentifiers`: stack traces stay readable, and the AWS SDK needs the names of its
  // classes. `keepNames` would cost a twentieth of the CPU of a delivery.
  minifySyntax: true,
  minifyWhitespace: true,
  // CommonJS dependencies call `require` for Node's own modules, and ESM has no `require`.
  banner: {
    js: "import{createRequire as createRequireForBundle}from'node:module';const require=createRequireForBundle(import.meta.url);",
  },
} as const satisfies BuildOptions;
