import { crc32 } from 'node:zlib';
import type { Page } from 'playwright-core';

/** What runs in the browser is text here: the tests know nothing of its globals. */
const TEXTS = `(() => {
  const texts = [];
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (nodes.nextNode()) {
    const { data, parentElement } = nodes.currentNode;
    range.selectNodeContents(nodes.currentNode);
    const { top, bottom } = range.getBoundingClientRect();
    const isInWindow = bottom > 0 && top < innerHeight && parentElement.offsetWidth > 1;
    const isShown = parentElement.checkVisibility({ visibilityProperty: true });
    if (isInWindow && isShown && !parentElement.closest('time, .chart')) texts.push(data);
  }
  return texts;
})()`;

/** Ids, numbers and units of durations differ by run. */
const withoutNumbers = (text: string): string =>
  text
    .replaceAll(/\bevt_[\w-]+/g, 'evt')
    .replaceAll(/\d+([.,]\d+)*/g, '0')
    .replaceAll(/\b0 m?s\b/g, '0 s')
    .trim();

/** Every text that the window shows, without what differs by run: instants, the chart, numbers and the order. */
export const visibleWords = async (page: Page): Promise<string> => {
  const texts = (await page.evaluate(TEXTS)) as readonly string[];
  const words = new Set(texts.map(withoutNumbers).filter((text) => text !== ''));
  return [...words].toSorted().join('\n');
};

const SIGNATURE = 8;
const LENGTH_AND_TYPE = 8;
const CHECKSUM = 4;
/** The header of an international text without a language and uncompressed. */
const KEYWORD = 'Words\0\0\0\0\0';

/** A PNG with the words that it shows in a chunk of its own, after its first chunk. */
export const withWords = (png: Buffer, words: string): Buffer => {
  const typed = Buffer.from(`iTXt${KEYWORD}${words}`);
  const chunk = Buffer.alloc(CHECKSUM + typed.length + CHECKSUM);
  chunk.writeUInt32BE(typed.length - 'iTXt'.length);
  typed.copy(chunk, CHECKSUM);
  chunk.writeUInt32BE(crc32(typed), CHECKSUM + typed.length);
  const firstEnd = SIGNATURE + LENGTH_AND_TYPE + png.readUInt32BE(SIGNATURE) + CHECKSUM;
  return Buffer.concat([png.subarray(0, firstEnd), chunk, png.subarray(firstEnd)]);
};

export const wordsIn = (png: Buffer): string | undefined => {
  for (let at = SIGNATURE; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const data = png.subarray(at + LENGTH_AND_TYPE, at + LENGTH_AND_TYPE + length);
    const isWords = png.toString('latin1', at + 4, at + LENGTH_AND_TYPE) === 'iTXt';
    if (isWords && data.toString('latin1').startsWith(KEYWORD)) {
      return data.toString().slice(KEYWORD.length);
    }
    at += LENGTH_AND_TYPE + length + CHECKSUM;
  }
  return undefined;
};
