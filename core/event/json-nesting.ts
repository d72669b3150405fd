/** The least that common parsers read by default: System.Text.Json 64, Ruby 100, serde_json 128. */
export const MAX_NESTING = 64;

/**
 * Whether the arrays and objects of a JSON text are nested more deeply. How deep parsers can go
 * depends on their stack, so a text is looked at before it is parsed.
 */
export const isNestedTooDeeply = (text: string): boolean => {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') isInString = !isInString;
    else if (isInString) at += character === '\\' ? 1 : 0;
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (depth > MAX_NESTING) return true;
  }
  return false;
};
