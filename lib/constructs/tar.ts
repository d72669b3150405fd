/** A part of a header: an octal number with leading zeros, and a NUL. */
const octal = (value: number, length: number): string =>
  `${value.toString(8).padStart(length - 1, '0')}\0`;

const BLOCK_BYTES = 512;

/** A file's header and its bytes, by POSIX.1-1988 (ustar). Throws for a name of over 100 bytes. */
const entryOf = (name: string, text: string): string => {
  const bytes = Buffer.byteLength(text);
  if (Buffer.byteLength(name) > 100) throw new Error(`${name} is too long for an archive.`);
  const before = name.padEnd(100, '\0') + octal(0o644, 8) + octal(0, 8) + octal(0, 8);
  const sizeAndTime = octal(bytes, 12) + octal(0, 12);
  const after = `0${'\0'.repeat(100)}ustar\u000000`;
  // The sum counts itself as spaces.
  const sum = Buffer.from(`${before}${sizeAndTime}        ${after}`).reduce((all, it) => all + it);
  const header = `${before}${sizeAndTime}${octal(sum, 7)} ${after}`;
  const rest = (BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES;
  return header.padEnd(BLOCK_BYTES, '\0') + text + '\0'.repeat(rest);
};

/** A tar archive of texts by name. It is a text itself: its other bytes are ASCII. */
export const tarOf = (files: ReadonlyMap<string, string>): string =>
  [...files].map(([name, text]) => entryOf(name, text)).join('') + '\0'.repeat(2 * BLOCK_BYTES);
