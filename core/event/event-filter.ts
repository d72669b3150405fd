/**
 * A filter is a pattern on an event's `data`, in the form of EventBridge's event patterns: a value
 * in a list has to match in each field. Numbers are compared by their value, and a pattern on an
 * array has to match one element as a whole.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html
 */
export const MAX_FILTER_BYTES = 2_048;
/** Of objects in objects. */
const MAX_FILTER_LEVELS = 5;

export interface FilterFault {
  readonly path: readonly PropertyKey[];
  readonly detail: string;
}

/** What is wrong with a filter that is an object. One without a field matches every event. */
export const filterFaults = (filter: unknown): readonly FilterFault[] => {
  if (!isObject(filter)) return [];
  const bytes = new TextEncoder().encode(JSON.stringify(filter)).length;
  if (bytes > MAX_FILTER_BYTES) {
    return [{ path: [], detail: `must be at most ${MAX_FILTER_BYTES} bytes, and has ${bytes}` }];
  }
  const faults: FilterFault[] = [];
  parseFields(filter, { path: [], faults });
  return faults;
};

/** The pattern of a stored filter, which is JSON text. Throws if it is none, or has a fault. */
export const parseFilter = (filter: string): Fields => {
  const faults: FilterFault[] = [];
  const fields = parseFields(JSON.parse(filter), { path: [], faults });
  const [fault] = faults;
  if (fault !== undefined) throw new Error(`The filter is not valid: ${fault.detail}.`);
  return fields;
};

/** A value that is compared. A list or an object is none. */
export type Leaf = string | number | boolean | null;

/** With a function that folds a text of the event. */
type Test = (leaf: Leaf, fold: (text: string) => string) => boolean;

export interface Choice {
  readonly values: ReadonlySet<unknown>;
  readonly tests: readonly Test[];
  /** How many characters of JSON the list has. */
  readonly length: number;
  /** With `exists`: whether any value matches, and none. */
  readonly any: boolean;
  readonly none: boolean;
}

export type Fields = ReadonlyMap<string, Choice | Fields>;

interface Place {
  readonly path: readonly PropertyKey[];
  /** Those that parsing finds are added. */
  readonly faults: FilterFault[];
}

const below = ({ path, faults }: Place, step: PropertyKey): Place => ({
  path: [...path, step],
  faults,
});

const refuse = ({ path, faults }: Place, detail: string): void => {
  faults.push({ path, detail });
};

const parseFields = (pattern: object, place: Place): Fields => {
  const fields = new Map<string, Choice | Fields>();
  const isEmpty = Object.keys(pattern).length === 0;
  if (isEmpty && place.path.length > 0) refuse(place, 'must name a field');
  for (const [name, value] of Object.entries(pattern)) {
    const at = below(place, name);
    // The API ignores the first in every document, and JavaScript takes the second for another thing.
    if (name.startsWith('@') || name === '__proto__') refuse(at, 'must have another name');
    else if (name === '$or') refuse(at, 'must have another name: filters have no $or');
    else if (Array.isArray(value)) fields.set(name, parseChoice(value, at));
    else if (!isObject(value)) refuse(at, 'must be a list of values, such as ["in"], or an object');
    else if (at.path.length === MAX_FILTER_LEVELS)
      refuse(at, `must be a list: a filter has at most ${MAX_FILTER_LEVELS} levels`);
    else fields.set(name, parseFields(value, at));
  }
  return fields;
};

const parseChoice = (matchers: readonly unknown[], place: Place): Choice => {
  if (matchers.length === 0) refuse(place, 'must have a value');
  const parsed = matchers.map((matcher, index) => parseMatcher(matcher, below(place, index)));
  return {
    values: new Set(matchers.filter((matcher) => !isObject(matcher))),
    tests: parsed.filter((test) => typeof test === 'function'),
    length: JSON.stringify(matchers).length,
    any: parsed.includes('any'),
    none: parsed.includes('none'),
  };
};

const parseMatcher = (matcher: unknown, place: Place): Test | 'any' | 'none' | undefined => {
  if (!isObject(matcher)) {
    const isValue = typeof matcher === 'number' ? isNumber(matcher) : !Array.isArray(matcher);
    if (!isValue) refuse(place, Array.isArray(matcher) ? 'must be a value, not a list' : NUMBER);
    return undefined;
  }
  const [name, ...others] = Object.keys(matcher);
  const operator = name === undefined ? undefined : OPERATORS.get(name);
  if (name === undefined || operator === undefined || others.length > 0) {
    refuse(place, `must have one operator of ${[...OPERATORS.keys()].join(', ')}`);
    return undefined;
  }
  const operand: unknown = Object.entries(matcher)[0]?.[1];
  const test = operator.parse(operand);
  if (test === undefined) refuse(below(place, name), `must be ${operator.operand}`);
  return test;
};

interface Operator {
  /** What an operand must be. */
  readonly operand: string;
  /** Undefined for another operand. */
  readonly parse: (operand: unknown) => Test | 'any' | 'none' | undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Beyond, several numbers have one double. */
const isNumber = (value: unknown): value is number =>
  typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER;

const NUMBER = `must be a number from -${Number.MAX_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`;

const onTexts =
  (
    build: (text: string) => (leaf: string, ...fold: Parameters<Test>[1][]) => boolean,
  ): Operator['parse'] =>
  (operand) => {
    if (!isText(operand)) return undefined;
    const test = build(operand);
    return (leaf, fold) => typeof leaf === 'string' && test(leaf, fold);
  };

/** A text without case, also of letters such as the final sigma, which has one upper and two lower cases. */
export const folded = (text: string): string => text.toUpperCase().toLowerCase();

const TEXT_OPERATORS: ReadonlyMap<string, Operator['parse']> = new Map([
  ['prefix', onTexts((text) => (leaf) => leaf.startsWith(text))],
  ['suffix', onTexts((text) => (leaf) => leaf.endsWith(text))],
  [
    'equals-ignore-case',
    onTexts((text) => {
      const wanted = folded(text);
      // No text becomes shorter: a longer one is not folded.
      return (leaf, fold) => leaf.length <= wanted.length && fold(leaf) === wanted;
    }),
  ],
]);

/** Lower bounds first: two of them make a range. */
const COMPARISONS: ReadonlyMap<unknown, (leaf: number, bound: number) => boolean> = new Map([
  ['>', (leaf, bound) => leaf > bound],
  ['>=', (leaf, bound) => leaf >= bound],
  ['<', (leaf, bound) => leaf < bound],
  ['<=', (leaf, bound) => leaf <= bound],
  ['=', (leaf, bound) => leaf === bound],
]);

const parseNumeric: Operator['parse'] = (operand) => {
  if (!Array.isArray(operand) || (operand.length !== 2 && operand.length !== 4)) return undefined;
  const [sign, bound, otherSign, otherBound] = operand as readonly unknown[];
  const compare = COMPARISONS.get(sign);
  if (compare === undefined || !isNumber(bound)) return undefined;
  if (operand.length === 2) return (leaf) => typeof leaf === 'number' && compare(leaf, bound);
  const isRange = /^>/.test(String(sign)) && /^</.test(String(otherSign));
  const compareOther = COMPARISONS.get(otherSign);
  if (!isRange || compareOther === undefined || !isNumber(otherBound) || bound >= otherBound)
    return undefined;
  return (leaf) =>
    typeof leaf === 'number' && compare(leaf, bound) && compareOther(leaf, otherBound);
};

const parseAnythingBut: Operator['parse'] = (operand) => {
  const values = Array.isArray(operand) ? operand : [operand];
  if (values.length > 0 && (values.every(isString) || values.every(isNumber))) {
    const refused = new Set<unknown>(values);
    return (leaf) => !refused.has(leaf);
  }
  if (!isObject(operand)) return undefined;
  const [[name, inner] = [], ...others] = Object.entries(operand);
  const parse = name === undefined ? undefined : TEXT_OPERATORS.get(name);
  const tests = (Array.isArray(inner) ? inner : [inner]).map((text) => parse?.(text));
  const refused = tests.filter((test) => typeof test === 'function');
  if (others.length > 0 || refused.length === 0 || refused.length < tests.length) return undefined;
  return (leaf, fold) => !refused.some((test) => test(leaf, fold));
};

const isString = (value: unknown): value is string => typeof value === 'string';

const OPERATORS: ReadonlyMap<string, Operator> = new Map([
  ...[...TEXT_OPERATORS].map(([name, parse]) => [name, { operand: 'a text', parse }] as const),
  [
    'anything-but',
    {
      operand: `a text, a number, a list of one of them, or an object with ${[...TEXT_OPERATORS.keys()].join(', ')}`,
      parse: parseAnythingBut,
    },
  ],
  [
    'exists',
    {
      operand: 'true or false',
      parse: (operand) => (typeof operand === 'boolean' ? (operand ? 'any' : 'none') : undefined),
    },
  ],
  ['numeric', { operand: 'a list such as [">", 0, "<=", 5] or ["=", 5]', parse: parseNumeric }],
]);

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
