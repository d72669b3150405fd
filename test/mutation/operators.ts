import { parseAst } from 'vitest/node';

/** A change of one expression or statement, which a test should notice. */
export interface Mutant {
  readonly operator: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** A node of ESTree with the types of TypeScript; the members depend on its `type`. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

type Part = Pick<Node, 'start' | 'end'>;

/** What takes the place of a part of the text. */
type Change = readonly [operator: string, part: Part, replacement: string];

const COUNTERPARTS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '-': '+',
  '*': '/',
  '/': '*',
};

/** Their arguments may have any order. */
const COMMUTATIVE = /^Math\.(?:min|max)$/;

const JUMPS = new Set(['ReturnStatement', 'ThrowStatement', 'ContinueStatement', 'BreakStatement']);

/** They exist for the compiler alone. */
const isOfTypes = ({ type }: Node): boolean =>
  /^TS(?!AsExpression|NonNull|Satisfies)/.test(type) || type === 'ImportDeclaration';

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

const childrenOf = (node: Node): readonly Node[] => Object.values(node).flat().filter(isNode);

export const mutantsOf = (code: string): readonly Mutant[] => {
  const textOf = ({ start, end }: Part): string => code.slice(start, end);
  const mutants: Mutant[] = [];
  const visit = (node: Node): void => {
    if (isOfTypes(node)) return;
    for (const [operator, { start, end }, replacement] of changesOf(node, textOf)) {
      if (replacement === code.slice(start, end)) continue;
      const line = code.slice(0, start).split('\n').length;
      mutants.push({ operator, line, start, end, replacement });
    }
    for (const child of childrenOf(node)) visit(child);
  };
  visit(parseAst(code, { lang: 'ts' }) as unknown as Node);
  return mutants;
};

type TextOf = (part: Part) => string;

const changesOf = (node: Node, textOf: TextOf): readonly Change[] => {
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
      return operatorChanges(node, textOf);
    case 'AssignmentPattern':
      return [['default', node, textOf(node.left as Node)]];
    case 'UnaryExpression':
      return node.operator === '!'
        ? [['negation', node, `(${textOf(node.argument as Node)})`]]
        : [];
    case 'ConditionalExpression':
      return [['negation', node.test as Node, `!(${textOf(node.test as Node)})`]];
    case 'AwaitExpression':
      return [['await', node, `(${textOf(node.argument as Node)})`]];
    case 'Literal':
      return literalChanges(node);
    case 'IfStatement':
      return endsInJump(node) ? [['early return', node, ';']] : [];
    case 'CallExpression':
    case 'NewExpression':
      return argumentChanges(node, textOf);
    case 'BlockStatement':
      return blockChanges(node.body as readonly Node[], textOf);
    default:
      return [];
  }
};

const operatorChanges = (node: Node, textOf: TextOf): readonly Change[] => {
  const [left, right] = [node.left as Node, node.right as Node];
  if (node.operator === '??') return [['default', node, `(${textOf(left)})`]];
  const counterpart = COUNTERPARTS[node.operator as string];
  if (counterpart === undefined) return [];
  const between = textOf({ start: left.end, end: right.start });
  const replacement = between.replace(node.operator as string, counterpart);
  return [['operator', { start: left.end, end: right.start }, replacement]];
};

/** Small numbers change by one, others so much that they are another order of size. */
const literalChanges = (node: Node): readonly Change[] => {
  const { value } = node;
  if (typeof value === 'boolean') return [['negation', node, String(!value)]];
  if (typeof value !== 'number') return [];
  return [['number', node, String(value <= 10 && Number.isInteger(value) ? value + 1 : value * 2)]];
};

const endsInJump = ({ alternate, consequent }: Node): boolean => {
  const { type, body } = consequent as Node;
  const last = type === 'BlockStatement' ? (body as readonly Node[]).at(-1)?.type : type;
  return !alternate && JUMPS.has(last ?? '');
};

const argumentChanges = (node: Node, textOf: TextOf): readonly Change[] => {
  const [first, second] = node.arguments as readonly Node[];
  if (first === undefined || second === undefined) return [];
  const isFixed = [first, second].some(({ type }) => /Function|Object|Array|Spread/.test(type));
  if (isFixed || COMMUTATIVE.test(textOf(node.callee as Node))) return [];
  const part = { start: first.start, end: second.end };
  return [['arguments', part, `${textOf(second)}, ${textOf(first)}`]];
};

/** Leaves out a call whose result is not used, and changes the order of two statements. */
const blockChanges = (statements: readonly Node[], textOf: TextOf): readonly Change[] =>
  statements.flatMap((statement, index): readonly Change[] => {
    const isExpression = statement.type === 'ExpressionStatement';
    const left: readonly Change[] = isExpression ? [['call', statement, ';']] : [];
    const next = statements[index + 1];
    if (next === undefined || !canChangePlaces(statement, next, textOf)) return left;
    const replacement = `${textOf(next)}\n${textOf(statement)}`;
    return [...left, ['order', { start: statement.start, end: next.end }, replacement]];
  });

const canChangePlaces = (one: Node, next: Node, textOf: TextOf): boolean =>
  [one, next].some(({ type }) => type === 'ExpressionStatement') &&
  [one, next].every((each) => MOVABLE.has(each.type) && textOf(each).includes('await ')) &&
  !declaredNames(one).some((name) => new RegExp(`\\b${name}\\b`).test(textOf(next)));

const MOVABLE = new Set(['ExpressionStatement', 'VariableDeclaration']);

const declaredNames = (node: Node): readonly string[] =>
  node.type === 'VariableDeclaration'
    ? (node.declarations as readonly Node[]).flatMap(({ id }) => namesIn(id as Node))
    : [];

const namesIn = (node: Node): readonly string[] =>
  node.type === 'Identifier' ? [node.name as string] : childrenOf(node).flatMap(namesIn);
