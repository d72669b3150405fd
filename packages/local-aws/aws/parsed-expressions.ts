type Values = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Names and values of a request. The parser deletes those that it uses from the two that are unused. */
interface Context {
  readonly attrNames?: Readonly<Record<string, string>>;
  readonly attrVals?: Values;
  readonly unusedAttrNames: Record<string, true>;
  readonly unusedAttrVals: Record<string, true>;
}

/** A parser of dynalite. It gives what an expression says, or a text if the expression is wrong. */
export interface ExpressionParser {
  parse(expression: string, options: { context: Context }): object | string;
}

interface Parsed {
  readonly tree: object;
  readonly values: Values;
  readonly usedNames: readonly string[];
  readonly usedValues: readonly string[];
}

/** The parser also looks at the values, not only at their types, of these. */
const DEPENDS_ON_VALUES = /\b(between|attribute_type)\b/i;

/** Programs use few expressions; a person at a command line should not fill the memory with others. */
const KEPT = 1_000;

/**
 * Makes a parser remember what it has parsed, with the names and the types of the values: parsing was half
 * of the time of a query or an update. Each call gets a copy of its own, with its own values.
 */
export const rememberParsed = (parser: ExpressionParser): void => {
  const known = new Map<string, Parsed>();
  const parse = parser.parse.bind(parser);
  const parseOnce = (expression: string, context: Context): Parsed | string => {
    const { attrNames = {}, attrVals = {} } = context;
    const names = Object.keys(attrNames);
    const values = Object.keys(attrVals);
    const unused = { unusedAttrNames: flags(names), unusedAttrVals: flags(values) };
    const tree = parse(expression, { context: { ...context, ...unused } });
    if (typeof tree === 'string') return tree;
    return {
      tree,
      values: attrVals,
      usedNames: names.filter((name) => !(name in unused.unusedAttrNames)),
      usedValues: values.filter((name) => !(name in unused.unusedAttrVals)),
    };
  };
  parser.parse = (expression, { context }) => {
    if (DEPENDS_ON_VALUES.test(expression)) return parse(expression, { context });
    const { attrNames, attrVals = {}, unusedAttrNames, unusedAttrVals } = context;
    const key = JSON.stringify([expression, attrNames, typesOf(attrVals)]);
    const parsed = known.get(key) ?? parseOnce(expression, context);
    if (typeof parsed === 'string') return parsed;
    if (known.size < KEPT) known.set(key, parsed);
    for (const name of parsed.usedNames) delete unusedAttrNames[name];
    for (const name of parsed.usedValues) delete unusedAttrVals[name];
    return withValues(parsed, attrVals);
  };
};

const flags = (names: readonly string[]): Record<string, true> =>
  Object.fromEntries(names.map((name) => [name, true]));

const typesOf = (values: Values): readonly unknown[] =>
  Object.entries(values).map(([name, value]) => [name, Object.keys(value)]);

/** A copy of the tree, in which the values of the first call are replaced by those of this call. */
const withValues = ({ tree, values }: Parsed, given: Values): object => {
  const names = new Map<unknown, string>(
    Object.entries(values).map(([name, value]) => [value, name]),
  );
  const copy = (node: unknown): unknown => {
    if (typeof node !== 'object' || node === null) return node;
    const name = names.get(node);
    if (name !== undefined) return given[name];
    if (Array.isArray(node)) return node.map(copy);
    const copied = Object.create(Object.getPrototypeOf(node));
    for (const [member, inner] of Object.entries(node)) copied[member] = copy(inner);
    return copied;
  };
  return copy(tree) as object;
};
