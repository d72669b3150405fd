/** A string with its quotes, a bracket, a comma or colon, or anything else but white space. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},:]|[^\s"[\]{},:]+/g;

const INDENT = '  ';

/**
 * JSON on lines, for reading. The tokens stay as they are written: no number is rounded, and no
 * member is lost that is there twice. Undefined for what is not JSON.
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
