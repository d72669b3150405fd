import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const SRC = 'packages/console/src';

const WORDS = `
import { distanceInWords, instantInWords } from './${SRC}/shared/instant-words.ts';
import { inDigits } from './${SRC}/shared/locale.ts';
const [at, now] = ['2026-11-28T14:41:26Z', new Date('2026-11-28T14:53:30Z')];
console.log([instantInWords(at, now), distanceInWords(at, now), inDigits(12345)].join(' | '));`;

describe('the words and numbers of the console', () => {
  it.each([
    ['en_US', '2:41:26 pm'],
    ['de_DE', '14:41:26'],
    ['fa_IR', '14:41:26'],
    ['ar_EG', '2:41:26 pm'],
  ])('are English, with the hours of a browser in %s', async (language, time) => {
    const env = { ...process.env, LC_ALL: `${language}.UTF-8`, TZ: 'UTC' };
    const run = ['--input-type=module', '--eval', WORDS];
    const { stdout } = await promisify(execFile)(process.execPath, run, { env });

    expect(stdout.trim()).toBe(`${time} | 12 minutes ago | 12,345`);
  });

  it('are made in no other language than that of the pages', () => {
    const files = globSync(`${SRC}/**/*.{ts,tsx}`).filter((file) => !file.endsWith('locale.ts'));
    const inLanguageOfBrowser = files.filter((file) =>
      /toLocale\w*String\(\)|(?:Intl\.\w+|toLocale\w*)\(undefined/.test(readFileSync(file, 'utf8')),
    );
    expect(inLanguageOfBrowser).toEqual([]);
    expect(files.length).toBeGreaterThan(100);
  });
});
