import { ACCOUNT_ID, PARTITION, REGION } from '../arn.ts';

/** What the intrinsic functions of one template can refer to. */
export interface Scope {
  stackName: string;
  /** `Ref` to a resource or parameter. */
  reference(logicalId: string): unknown;
  attribute(logicalId: string, name: string): unknown;
  importedValue(exportName: string): unknown;
  condition(name: string): boolean;
}

const NO_VALUE = Symbol('AWS::NoValue');

/** Evaluates every intrinsic function in a template value, however deep. */
export const resolve = (value: unknown, scope: Scope): unknown => {
  const resolved = evaluate(value, scope);
  return resolved === NO_VALUE ? undefined : resolved;
};

const evaluate = (value: unknown, scope: Scope): unknown => {
  if (Array.isArray(value)) {
    return value.map((item) => evaluate(item, scope)).filter((item) => item !== NO_VALUE);
  }
  if (!isObject(value)) return value;
  const [[name, argument] = [], ...others] = Object.entries(value);
  if (name !== undefined && others.length === 0) {
    const intrinsic = INTRINSICS[name];
    if (intrinsic) return intrinsic(argument, scope);
    if (name.startsWith('Fn::')) throw new Error(`${name} is not emulated`);
  }
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]) => [key, evaluate(item, scope)] as const)
      .filter(([, item]) => item !== NO_VALUE),
  );
};

const INTRINSICS: Record<string, (argument: unknown, scope: Scope) => unknown> = {
  Ref: (argument, scope) => reference(String(argument), scope),
  Condition: (argument, scope) => scope.condition(String(argument)),
  'Fn::GetAtt': (argument, scope) => {
    const [logicalId = '', ...path] = Array.isArray(argument)
      ? argument.map(String)
      : String(argument).split('.');
    return scope.attribute(logicalId, path.join('.'));
  },
  'Fn::ImportValue': (argument, scope) => scope.importedValue(String(evaluate(argument, scope))),
  'Fn::Join': (argument, scope) => {
    const [separator, parts] = list(argument, scope);
    return list(parts, scope).map(String).join(String(separator));
  },
  'Fn::Split': (argument, scope) => {
    const [separator, text] = list(argument, scope);
    return String(text).split(String(separator));
  },
  'Fn::Select': (argument, scope) => {
    const [index, items] = list(argument, scope);
    return list(items, scope)[Number(index)];
  },
  'Fn::Sub': (argument, scope) => substitute(argument, scope),
  'Fn::If': (argument, scope) => {
    const [condition, whenTrue, whenFalse] = Array.isArray(argument) ? argument : [];
    return evaluate(scope.condition(String(condition)) ? whenTrue : whenFalse, scope);
  },
  'Fn::Equals': (argument, scope) => {
    const [left, right] = list(argument, scope);
    return left === right;
  },
  'Fn::Not': (argument, scope) => !list(argument, scope)[0],
  'Fn::And': (argument, scope) => list(argument, scope).every(Boolean),
  'Fn::Or': (argument, scope) => list(argument, scope).some(Boolean),
};

const reference = (name: string, scope: Scope): unknown => {
  switch (name) {
    case 'AWS::NoValue':
      return NO_VALUE;
    case 'AWS::Region':
      return REGION;
    case 'AWS::AccountId':
      return ACCOUNT_ID;
    case 'AWS::Partition':
      return PARTITION;
    case 'AWS::URLSuffix':
      return 'amazonaws.com';
    case 'AWS::StackName':
      return scope.stackName;
    default:
      return scope.reference(name);
  }
};

const substitute = (argument: unknown, scope: Scope): string => {
  const [text, variables] = Array.isArray(argument) ? argument : [argument, {}];
  const named = isObject(variables) ? variables : {};
  return String(text).replace(/\$\{(!?)([^}]+)\}/g, (_match, literal: string, name: string) => {
    if (literal) return `\${${name}}`;
    if (name in named) return String(evaluate(named[name], scope));
    return name.includes('.') && !name.startsWith('AWS::')
      ? String(evaluate({ 'Fn::GetAtt': name }, scope))
      : String(reference(name, scope));
  });
};

const list = (argument: unknown, scope: Scope): unknown[] => {
  const resolved = evaluate(argument, scope);
  if (!Array.isArray(resolved)) throw new Error('An intrinsic function expects a list');
  return resolved;
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
