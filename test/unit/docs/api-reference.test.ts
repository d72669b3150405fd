import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { refusalKindsOf } from '../../../lambdas/api/openapi/problem-examples.ts';
import { ROUTES } from '../../../lambdas/api/openapi/routes.ts';
import { apiReference, PAGE } from '../../../tools/docs/api-reference.ts';

const lines = apiReference().split('\n');

describe('the API reference', () => {
  it('is generated from the present routes: `npm run docs` writes it', async () => {
    expect(await readFile(PAGE, 'utf8')).toBe(apiReference());
  });

  it.each(ROUTES)('has every refusal of $method $path, in its row or for its group', (route) => {
    const row = lines.find((line) => line.startsWith(`| \`${route.method} ${route.path}\` |`));
    const ofGroups = lines
      .filter((line) => /^\| \d{3} \|.*\| (?:all|with [^|]+) \|$/.test(line))
      .join('\n');
    const missing = refusalKindsOf(route).filter(
      (kind) => !`${row}\n${ofGroups}`.includes(`\`${kind}\``),
    );

    expect(row).toBeDefined();
    expect(missing).toEqual([]);
  });
});
