import { globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'receivers/README.md',
  'clients/README.md',
  ...globSync('packages/*/README.md'),
  ...globSync('docs/**/*.md'),
];

/** Comments of code are for engineers. */
const withoutComments = (file: string): string => {
  const text = readFileSync(file, 'utf8');
  return file.endsWith('.md') ? text : text.replaceAll(/^\s*(?:\*|\/\*\*|\/\/).*$/gm, '');
};

/** As GitHub names headings in addresses. */
const anchorsIn = (page: string): readonly string[] =>
  [...readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(/\s/g, '-'),
  );

const linksIn = (page: string): readonly string[] =>
  [...readFileSync(page, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^(https?|mailto):/.test(target));

const isFound = (page: string, link: string): boolean => {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  if (!statSync(target, { throwIfNoEntry: false })) return false;
  return anchor === undefined || anchorsIn(target).includes(anchor);
};

describe('the documents', () => {
  it.each(PAGES)('lead somewhere with each link: %s', (page) => {
    expect(linksIn(page).filter((link) => !isFound(page, link))).toEqual([]);
  });

  it.each(['docs/operators', 'docs/integrators'])(
    'name every page of %s in its README',
    (folder) => {
      const pages = globSync(`${folder}/*.md`).filter((page) => !page.endsWith('README.md'));

      expect(linksIn(`${folder}/README.md`).map((link) => join(folder, link))).toEqual(
        expect.arrayContaining(pages),
      );
      expect(pages.length).toBeGreaterThan(3);
    },
  );
});

/** Each with the word of the glossary. */
const REFUSED_WORDS = [
  [
    /switch(?:ed|es)? (?:it |them |\w+ )?o(?:n|ff)\b/gi,
    'activate, deactivate; turn e-mails on or off',
  ],
  [/pause or end|to pause (?:it|the webhook)/gi, 'deactivate'],
  [/\bnobody\b|\bso long,|\bof today\b|came to\b|is over\b/gi, 'plain words'],
] as const;

/** What customers and operators read, and the sources of what they are shown. */
const READ = [
  ...PAGES.filter((page) => !page.startsWith('docs/engineers/')),
  ...globSync('{core/changes,core/integration,core/delivery/resources,lambdas/api}/**/*.ts'),
  ...globSync('packages/console/src/**/*.{ts,tsx}'),
  'core/delivery/advice.ts',
  'core/delivery/attempt.ts',
];

it.each(REFUSED_WORDS)('texts have none of %s: %s', (refused) => {
  const found = READ.flatMap((file) =>
    (withoutComments(file).match(refused) ?? []).map((words) => `${file}: ${words}`),
  );

  expect(READ.length).toBeGreaterThan(100);
  expect(found).toEqual([]);
});
