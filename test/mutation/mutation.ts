/**
 * A rule of the product that is broken by one replacement in the text of its file. No test ends if the
 * broken code loops for ever.
 */
export interface Mutation {
  readonly file: string;
  /** The beginnings of the paths in `test/unit/` of the tests that are to fail. */
  readonly tests: readonly string[];
  readonly rule: string;
  /** Occurs once in the file. */
  readonly text: string;
  readonly replacement: string;
  /** Why nobody can notice that the rule is broken. Without it, tests must fail. */
  readonly equivalent?: string;
}

type Row = readonly [rule: string, text: string, replacement: string, equivalent?: string];

export const inFile = (
  file: string,
  tests: readonly string[],
  rows: readonly Row[],
): readonly Mutation[] =>
  rows.map(([rule, text, replacement, equivalent]) => ({
    file,
    tests,
    rule,
    text,
    replacement,
    ...(equivalent !== undefined && { equivalent }),
  }));
