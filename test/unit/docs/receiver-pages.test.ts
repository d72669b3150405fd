import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readReceivers } from '../../../packages/console/serving/receivers.ts';
import { RECEIVER_PAGES, withReceivers } from '../../../tools/docs/receiver-pages.ts';

const receivers = readReceivers();

describe('the pages of the receivers', () => {
  it.each(Object.keys(RECEIVER_PAGES))(
    'have them as they are: `npm run docs` writes %s',
    async (page) => {
      const text = await readFile(page, 'utf8');

      expect(text).toBe(withReceivers(page, text));
      expect(receivers.filter(({ title }) => !text.includes(title))).toEqual([]);
    },
  );

  it.each(receivers)('shows a program of one file: $title', ({ code }) => {
    expect(code).not.toMatch(/(from|import|require|require_relative) *\(?['"]\.{1,2}\//);
    expect(code.split('\n').length).toBeLessThanOrEqual(170);
  });
});
