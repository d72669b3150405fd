/**
 * Foreign text in a form that is safe to show: invisible characters become visible, and nothing can
 * change the direction of the text around it. Line breaks and tabs stay.
 */
export const visibleText = (text: string): string =>
  text.replace(UNSEEN, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(CONTROL_PICTURES + code);
    if (code === 0x7f) return '␡';
    return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
  });

/** `␀`, the first of the pictures of control characters. */
const CONTROL_PICTURES = 0x2400;

/** Control characters, direction marks, invisible spaces, lone surrogates. */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const SHOWN_AT_FIRST = 8_000;

/** The beginning of a long text. The cut never splits a surrogate pair. */
export const beginningOf = (text: string): { readonly shown: string; readonly isCut: boolean } => {
  if (text.length <= SHOWN_AT_FIRST) return { shown: text, isCut: false };
  const half = /[\ud800-\udbff]/.test(text.charAt(SHOWN_AT_FIRST - 1));
  return { shown: text.slice(0, SHOWN_AT_FIRST - (half ? 1 : 0)), isCut: true };
};

/** The size of the text in UTF-8: "1.0 MiB", "12 KiB", "87 bytes". */
export const sizeInWords = (text: string): string => {
  const bytes = new TextEncoder().encode(text).length;
  if (bytes >= 1_048_576) return `${(bytes / 1_048_576).toFixed(1)} MiB`;
  if (bytes >= 1_024) return `${Math.round(bytes / 1_024)} KiB`;
  return bytes === 1 ? '1 byte' : `${bytes} bytes`;
};

/** A string with its quotes, a bracket, a comma, a colon, or anything else but white space. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},:]|[^\s"[\]{},:]+/g;

const INDENT = '  ';

/**
 * Indents JSON. The tokens stay as they are written: no number is rounded, and no duplicate member
 * is lost. Undefined if the text is not JSON.
 */
export const indentedJson = (text: string): string | undefined => {
  if (!isJson(text)) return undefined;
  const parts: string[] = [];
  let depth = 0;
  let previous = '';
  const newLine = () => parts.push('\n', INDENT.repeat(depth));
  for (const [token] of text.matchAll(TOKENS)) {
    const closes = token === '}' || token === ']';
    const opened = previous === '{' || previous === '[';
    if (closes) depth -= 1;
    if (closes ? !opened : opened || previous === ',') newLine();
    parts.push(token === ':' ? ': ' : token);
    if (token === '{' || token === '[') depth += 1;
    previous = token;
  }
  return parts.join('');
};

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** A string with its quotes, and the colon that makes it a name. */
const STRING = /("[^"\\\n]*(?:\\.[^"\\\n]*)*")(?=(\s*:)?)/g;

/** Splits a JSON text into parts to colour. Joined, the parts are the text. */
export const jsonParts = (text: string) => {
  const parts: { kind: 'name' | 'string' | 'other'; text: string }[] = [];
  let end = 0;
  for (const match of text.matchAll(STRING)) {
    if (match.index > end) parts.push({ kind: 'other', text: text.slice(end, match.index) });
    parts.push({ kind: match[2] === undefined ? 'string' : 'name', text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ kind: 'other', text: text.slice(end) });
  return parts;
};
