const blockPattern = (name: string): RegExp =>
  new RegExp(`(<!-- ${name} -->\n\n)([\\s\\S]*?)(\n\n<!-- end -->)`);

/** Returns the text between `<!-- name -->` and the next `<!-- end -->`. */
export const blockIn = (page: string, name: string): string => {
  const content = blockPattern(name).exec(page)?.[2];
  if (content === undefined) throw new Error(`The page has no block "${name}".`);
  return content;
};

export const replaceBlock = (page: string, name: string, content: string): string => {
  const before = blockIn(page, name);
  return before === content
    ? page
    : page.replace(blockPattern(name), (_, begin, _before, end) => `${begin}${content}${end}`);
};

/** Returns the fenced blocks of a page in one language, such as `sql`. */
export const fencedBlocks = (page: string, language: string): readonly string[] =>
  [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter(([, named]) => named === language)
    .map(([, , text = '']) => text);

/** Returns the cells of each table row of a block that begins with the cell. */
export const rowsBeginningWith = (block: string, cell: string): readonly string[][] =>
  block
    .split('\n')
    .filter((line) => line.startsWith(`| ${cell} |`))
    .map((line) => line.slice(2, -2).split(' | '));

/** The first column is text, the others are numbers. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [line(head), `|---|${'---:|'.repeat(head.length - 1)}`, ...rows.map(line)].join('\n');

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

export const dollars = (amount: number, digits = 2): string =>
  `$${amount.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
