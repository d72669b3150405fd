import { crc32 } from 'node:zlib';
import type { Page } from 'playwright-core';

/** What runs in the browser is text here: the tests know nothing of its globals. */
const LABELS = `[...document.querySelectorAll('h1, h2, h3, th, dt, label, button, nav a, [role=tab]')]
  .filter((element) => element.checkVisibility({ visibilityProperty: true }) && element.getBoundingClientRect().top < innerHeight)
  .filter((element) => element.closest('tbody') === null)
  .map((element) => element.textContent.trim().replace(/\\d+/g, '0'))
  .filter((text) => text !== '')`;

/** The headings and the names of controls that the window shows, without what differs by run. */
export const visibleLabels = async (page: Page): Promise<string> => {
  const labels = (await page.evaluate(LABELS)) as readonly string[];
  return [...new Set(labels)].join('\n');
};

const SIGNATURE = 8;
const LENGTH_AND_TYPE = 8;
const CHECKSUM = 4;
/** The header of an international text without a language and uncompressed. */
const KEYWORD = 'Labels\0\0\0\0\0';

/** A PNG with the labels that it shows in a chunk of its own, after its first chunk. */
export const withLabels = (png: Buffer, labels: string): Buffer => {
  const typed = Buffer.from(`iTXt${KEYWORD}${labels}`);
  const chunk = Buffer.alloc(CHECKSUM + typed.length + CHECKSUM);
  chunk.writeUInt32BE(typed.length - 'iTXt'.length);
  typed.copy(chunk, CHECKSUM);
  chunk.writeUInt32BE(crc32(typed), CHECKSUM + typed.length);
  const firstEnd = SIGNATURE + LENGTH_AND_TYPE + png.readUInt32BE(SIGNATURE) + CHECKSUM;
  return Buffer.concat([png.subarray(0, firstEnd), chunk, png.subarray(firstEnd)]);
};

export const labelsIn = (png: Buffer): string | undefined => {
  for (let at = SIGNATURE; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const data = png.subarray(at + LENGTH_AND_TYPE, at + LENGTH_AND_TYPE + length);
    const isLabels = png.toString('latin1', at + 4, at + LENGTH_AND_TYPE) === 'iTXt';
    if (isLabels && data.toString('latin1').startsWith(KEYWORD)) {
      return data.toString().slice(KEYWORD.length);
    }
    at += LENGTH_AND_TYPE + length + CHECKSUM;
  }
  return undefined;
};
