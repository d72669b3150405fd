import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

interface Layer {
  /** A folder, or a pattern of files in it. The first layer that matches a file is the file's. */
  readonly files: RegExp;
  /** What these files import beside files of their own layer. */
  readonly mayImport: readonly RegExp[];
  /** What they import the types of, beside that. */
  readonly mayImportTypesOf?: readonly RegExp[];
}

const GROUND = /^core\/([^/]+|json-ld\/.*)$/;
const DELIVERY = /^core\/delivery\/[^/]+$/;
const AWS = /^@aws-sdk\//;
const COMPOSING =
  /^lambdas\/(composition\/.*|api\/(?!routes\.ts)[^/]+\.ts|((canary|consumers)\/[^/]+|authorize-request)\/compose\.ts)$/;

const deliveryLayer = (folder: string, below: readonly string[]): Layer => ({
  files: new RegExp(`^core/delivery/${folder}/`),
  mayImport: [
    GROUND,
    DELIVERY,
    /^core\/(event|integration)\//,
    ...below.map((name) => new RegExp(`^core/delivery/${name}/`)),
  ],
});

/** What the console is built to, and how it is served. */
const CONSOLE_SERVER = /^packages\/console\/serving\//;

/** The AWS that `npm start` and the tests run on. */
const LOCAL_AWS = /^packages\/local-aws\//;

/** The layers of the code, from the top: who may import whom. */
const LAYERS: readonly Layer[] = [
  { files: GROUND, mayImport: [] },
  { files: /^core\/event\//, mayImport: [GROUND] },
  { files: /^core\/integration\//, mayImport: [GROUND, /^core\/event\//] },
  { files: /^core\/directory\//, mayImport: [GROUND] },
  { files: DELIVERY, mayImport: [GROUND, /^core\/(event|integration)\//] },
  deliveryLayer('pending', []),
  deliveryLayer('trouble', ['pending']),
  deliveryLayer('sending', ['pending', 'trouble']),
  deliveryLayer('recovery', ['pending', 'trouble']),
  deliveryLayer('reading', ['pending']),
  deliveryLayer('search', []),
  deliveryLayer('statistics', ['pending']),
  deliveryLayer('resources', ['reading', 'recovery', 'sending']),
  deliveryLayer('api', ['reading', 'search', 'statistics']),
  {
    files: /^core\/changes\//,
    mayImport: [GROUND, DELIVERY, /^core\/(directory|event|integration|delivery\/pending)\//],
  },
  { files: /^adapters\//, mayImport: [/^core\//, AWS] },
  { files: /^lambdas\/runtime\//, mayImport: [/^core\//] },
  { files: /^lambdas\/api\/runtime\//, mayImport: [/^(core|lambdas\/runtime)\//] },
  {
    files: /^lambdas\/composition\//,
    mayImport: [/^(core|adapters|lambdas\/runtime)\//, AWS],
  },
  { files: COMPOSING, mayImport: [/^(core|adapters|lambdas)\//, AWS] },
  {
    files: /^lambdas\/api\/openapi\//,
    mayImport: [
      /^(core|lambdas\/(api\/)?runtime)\//,
      /^lambdas\/api\/(routes\.ts|reference\/|integrations\/)/,
    ],
  },
  { files: /^lambdas\//, mayImport: [/^(core|lambdas\/(api\/)?runtime)\//] },
  {
    files: /^(lib|bin)\//,
    mayImport: [
      /^lambdas\/(.+\/)?(runtime|openapi)\//,
      /^core\/(customer-limits|html|delivery\/canary|integration\/encryption-context)\.ts$/,
      CONSOLE_SERVER,
      AWS,
    ],
    mayImportTypesOf: [COMPOSING],
  },
  { files: /^admin\//, mayImport: [/^(core|adapters)\//, /^local\/endpoints-file\.ts$/, AWS] },
  {
    files: /^packages\/console\/src\/api\/resources\.ts$/,
    mayImport: [
      /^core\/(customer-limits|delivery\/advice)\.ts$/,
      /^core\/event\/(event-types|event-filter|filter-names|json-nesting|repeated-member)\.ts$/,
      /^core\/integration\/(found-settings|endpoint-headers)\.ts$/,
    ],
    mayImportTypesOf: [/./],
  },
  {
    files: /^packages\/console\//,
    mayImport: [/^packages\/console\/src\/api\/resources\.ts$/],
  },
  // It could be another project's: only its tests use more than its own files.
  { files: /^packages\/local-aws\/test\//, mayImport: [LOCAL_AWS, AWS] },
  { files: LOCAL_AWS, mayImport: [] },
  { files: /^local\//, mayImport: [/^(core|adapters)\//, CONSOLE_SERVER, LOCAL_AWS, AWS] },
  { files: /^tools\//, mayImport: [/^(core|adapters)\//, CONSOLE_SERVER] },
  // Nothing above imports these.
  { files: /^(bench|test)\//, mayImport: [/./] },
];

interface Import {
  readonly file: string;
  /** From the project's root; the name of a package stays as it is. */
  readonly imported: string;
  readonly isType: boolean;
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\b(\s+type\b)?[^;'"`]*?from\s*'([^']+)'|import\('([^']+)'\)/g;

const importsOf = (file: string): Import[] =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(IMPORT)].map(
    ([, type, from, dynamic = '']) => {
      const name = from ?? dynamic;
      const imported = name.startsWith('.')
        ? relative(ROOT, resolve(ROOT, dirname(file), name))
        : name.replace(/^local-aws\//, 'packages/local-aws/');
      return { file, imported, isType: type !== undefined };
    },
  );

const layerOf = (file: string) => LAYERS.find(({ files }) => files.test(file));

const isOurs = (name: string) => AWS.test(name) || layerOf(name) !== undefined;

const isAllowed = ({ file, imported, isType }: Import): boolean => {
  const layer = layerOf(file);
  if (layer === undefined || !isOurs(imported) || layerOf(imported) === layer) return true;
  const allowed = [...layer.mayImport, ...(isType ? (layer.mayImportTypesOf ?? []) : [])];
  return allowed.some((pattern) => pattern.test(imported));
};

const FOLDERS = [
  ...['core', 'adapters', 'lambdas', 'lib', 'bin', 'admin', 'local', 'packages', 'tools'],
  'bench',
];

const filesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('node_modules'))
    .map((name) => `${folder}/${name}`);

describe('the layers of the code', () => {
  it.each(FOLDERS)('%s imports only what its layers may import', (folder) => {
    const forbidden = filesIn(folder)
      .flatMap(importsOf)
      .filter((found) => !isAllowed(found));
    expect(forbidden.map(({ file, imported }) => `${file} imports ${imported}`)).toEqual([]);
  });

  it('have every file of the product', () => {
    expect(FOLDERS.flatMap(filesIn).filter((file) => layerOf(file) === undefined)).toEqual([]);
  });

  it('finds an import that the layers forbid', () => {
    const file = 'core/event/event.ts';
    expect(isAllowed({ file, imported: 'core/integration/integration.ts', isType: true })).toBe(
      false,
    );
    expect(isAllowed({ file, imported: '@aws-sdk/client-sqs', isType: false })).toBe(false);
    expect(isAllowed({ file: 'tools/a.ts', imported: 'bench/b.ts', isType: false })).toBe(false);
    const composition = 'lambdas/composition/queues.ts';
    expect(isAllowed({ file: composition, imported: 'lambdas/consumers/a.ts', isType: true })).toBe(
      false,
    );
  });
});
