/**
 * Text of others as it can be shown: what cannot be seen is made visible, and nothing can turn the
 * direction of the text around it. Line breaks and tabs stay.
 */
export const visibleText = (text: string): string =>
  text.replace(UNSEEN, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(CONTROL_PICTURES + code);
    if (code === 0x7f) return '␡';
    return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
  });

/** `␀` and those after it: a picture of each control character. */
const CONTROL_PICTURES = 0x2400;

/** Controls, direction marks, invisible spaces, lone halves of surrogate pairs. */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const SHOWN_AT_FIRST = 8_000;

/** The beginning of a long text, cut at no half of a character. */
export const beginningOf = (text: string): { readonly shown: string; readonly isCut: boolean } => {
  if (text.length <= SHOWN_AT_FIRST) return { shown: text, isCut: false };
  const half = /[\ud800-\udbff]/.test(text.charAt(SHOWN_AT_FIRST - 1));
  return { shown: text.slice(0, SHOWN_AT_FIRST - (half ? 1 : 0)), isCut: true };
};

/** "1.0 MiB", "12 KiB", "87 bytes" of the text as UTF-8. */
export const sizeInWords = (text: string): string => {
  const bytes = new TextEncoder().encode(text).length;
  if (bytes >= 1_048_576) return `${(bytes / 1_048_576).toFixed(1)} MiB`;
  if (bytes >= 1_024) return `${Math.round(bytes / 1_024)} KiB`;
  return bytes === 1 ? '1 byte' : `${bytes} bytes`;
};
