/** In a pattern of IAM, `*` stands for any characters, also slashes, and `?` for one character. */
export const matches = (pattern: string, text: string): boolean => {
  const expression = pattern
    .replace(/[\\^$.+()[\]{}|]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${expression}$`, 's').test(text);
};
