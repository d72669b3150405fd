/** A line `  name  value` for each entry, with aligned values. */
export const fields = (values: Readonly<Record<string, string>>): string[] => {
  const width = Math.max(...Object.keys(values).map((name) => name.length));
  return Object.entries(values).map(([name, value]) => `  ${name.padEnd(width)}  ${value}`);
};

/**
 * A heading line and a line for each row; each column is as wide as its widest cell. `empty`: the
 * line for no rows.
 */
export const table = (
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  empty?: string,
): string[] => {
  if (rows.length === 0 && empty !== undefined) return [empty];
  const widths = heading.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  return [heading, ...rows].map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
};
