import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readReceivers } from '../../../packages/console/serving/receivers.ts';
import { PAGE, withReceivers } from '../../../tools/docs/receiver-pages.ts';

const receivers = readReceivers();

describe('the page of the receivers', () => {
  it('has them as they are: `npm run docs` writes it', async () => {
    const text = await readFile(PAGE, 'utf8');

    expect(text).toBe(withReceivers(text));
    expect(receivers.filter(({ title }) => !text.includes(title))).toEqual([]);
  });

  it.each(receivers)('shows a program of one file: $title', ({ code }) => {
    expect(code).not.toMatch(/(from|import|require|require_relative) *\(?['"]\.{1,2}\//);
    expect(code.split('\n').length).toBeLessThanOrEqual(170);
  });
});
