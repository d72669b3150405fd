import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CLIENTS } from '../../support/clients/clients.ts';

const PAGE = readFileSync('docs/integrators/clients.md', 'utf8');

describe('the page about clients', () => {
  it('has a section for each language', () => {
    const languages = [...PAGE.matchAll(/^## (\w+)$/gm)].map(([, language]) => language);
    expect(languages.toSorted()).toEqual(CLIENTS.map(({ language }) => language).toSorted());
  });

  it.each(CLIENTS)('shows the commands that are tested: $name', ({ language, commands }) => {
    expect(PAGE).toContain(`## ${language}\n`);
    expect(PAGE).toContain(`\n\`\`\`sh\n${commands.join('\n')}\n\`\`\`\n`);
  });
});
