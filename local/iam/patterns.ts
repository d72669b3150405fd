const expressions = new Map<string, RegExp>();

/** In a pattern of IAM, `*` stands for any characters, also slashes, and `?` for one character. */
export const matches = (pattern: string, text: string): boolean => {
  const expression = expressions.get(pattern) ?? expressionOf(pattern);
  // The patterns are those of one template: some hundreds.
  expressions.set(pattern, expression);
  return expression.test(text);
};

const expressionOf = (pattern: string): RegExp => {
  const expression = pattern
    .replace(/[\\^$.+()[\]{}|]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${expression}$`, 's');
};
