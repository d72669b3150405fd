/// <reference path="./punycode.d.ts" />
import { toUnicode } from 'punycode/punycode.es6.js';
import type { Integration } from '../api/resources.ts';

const MOST = 60;

/**
 * An address without its scheme, in letters that people read: "bücher.example/キー?token=…". Values of
 * the query may be secrets, which only the settings show. A long address is shortened in the middle.
 */
export const addressInWords = (baseUrl: string): string => {
  const { host, pathname, searchParams } = new URL(baseUrl);
  const shown = [...searchParams].map(([name, value]) => (value === '' ? '…' : `${name}=…`));
  const query = [...new Set(shown)].join('&');
  const path = pathname === '/' ? '' : withLetters(pathname);
  const letters = [...`${toUnicode(host)}${path}${query && `?${query}`}`];
  if (letters.length <= MOST) return letters.join('');
  const half = (MOST - 1) / 2;
  return `${letters.slice(0, Math.ceil(half)).join('')}…${letters.slice(-Math.floor(half)).join('')}`;
};

/** Decodes what stands for letters and digits: a slash or an invisible character stays encoded. */
const withLetters = (path: string): string =>
  path.replaceAll(/(?:%[0-9A-F]{2})+/gi, (encoded) => {
    try {
      const decoded = decodeURIComponent(encoded);
      return /^[\p{L}\p{M}\p{N}]+$/u.test(decoded) ? decoded : encoded;
    } catch {
      return encoded;
    }
  });

/** The name of a webhook for people, wherever it is not being changed. */
export const webhookName = ({
  description,
  config,
}: Pick<Integration, 'description'> & {
  readonly config: Pick<Integration['config'], 'baseUrl'>;
}): string => description ?? addressInWords(config.baseUrl);
