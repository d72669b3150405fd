import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readReceivers, sampleIn } from '../../../packages/console/serving/receivers.ts';
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

  it.each(receivers)('have a sample of at most 60 lines: $title', ({ code }) => {
    expect(code.split('\n').length).toBeLessThanOrEqual(60);
  });
});

describe('a sample', () => {
  it('is what stands between its two comments, without their indentation', () => {
    const source = 'a\n  # sample begins\n  b\n\n    c\n  # sample ends\nd\n';

    expect(sampleIn(source)).toBe('b\n\n  c');
    expect(sampleIn('a\n# sample ends\n')).toBeUndefined();
  });
});
