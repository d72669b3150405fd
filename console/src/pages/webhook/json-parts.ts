export interface JsonPart {
  readonly kind: 'name' | 'string' | 'other';
  readonly text: string;
}

/** A string with its quotes, and the colon after it that makes it a name. */
const STRING = /("[^"\\\n]*(?:\\.[^"\\\n]*)*")(?=(\s*:)?)/g;

/** The parts of a JSON text to colour, in order. Together they are the text. */
export const jsonParts = (text: string): readonly JsonPart[] => {
  const parts: JsonPart[] = [];
  let end = 0;
  for (const match of text.matchAll(STRING)) {
    if (match.index > end) parts.push({ kind: 'other', text: text.slice(end, match.index) });
    parts.push({ kind: match[2] === undefined ? 'string' : 'name', text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ kind: 'other', text: text.slice(end) });
  return parts;
};
