import { ACCOUNT_ID, PARTITION, REGION } from '../arn.ts';
import { notEmulated } from './assembly.ts';

export interface Scope {
  reference(logicalId: string): string;
  attribute(logicalId: string, name: string): string;
  importedValue(exportName: string): string;
}

/** Evaluates the intrinsic functions in a value at any depth. Throws when one is not emulated. */
export const resolve = (value: unknown, scope: Scope, path: string): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item, at) => resolve(item, scope, `${path}.${at}`));
  const members = Object.entries(value).map(
    ([key, member]) => [key, resolve(member, scope, `${path}.${key}`)] as const,
  );
  const [[name, argument] = [], ...others] = members;
  if (name === undefined || others.length > 0 || !/^(Ref$|Fn::)/.test(name)) {
    return Object.fromEntries(members);
  }
  const evaluate = INTRINSICS[name];
  if (!evaluate) throw notEmulated(path, name);
  return evaluate(argument, scope, `${path}.${name}`);
};

type Intrinsic = (argument: unknown, scope: Scope, path: string) => unknown;

/** By name. The intrinsic functions in an argument are already evaluated. */
const INTRINSICS: Record<string, Intrinsic> = {
  Ref: (name, scope) => referent(String(name), scope),
  'Fn::GetAtt': (argument, scope, path) => {
    const [logicalId, attribute] = list(argument, path);
    return scope.attribute(String(logicalId), String(attribute));
  },
  'Fn::ImportValue': (exportName, scope) => scope.importedValue(String(exportName)),
  'Fn::Join': (argument, _scope, path) => {
    const [separator, parts] = list(argument, path);
    return list(parts, path).join(String(separator));
  },
  'Fn::Split': (argument, _scope, path) => {
    const [separator, text] = list(argument, path);
    return String(text).split(String(separator));
  },
  'Fn::Select': (argument, _scope, path) => {
    const [index, items] = list(argument, path);
    return list(items, path)[Number(index)];
  },
  'Fn::Sub': (text, scope, path) => {
    if (typeof text !== 'string') throw notEmulated(path, 'variables of its own');
    return text.replace(/\$\{([^}]+)\}/g, (_match, name: string) => referent(name, scope));
  },
};

const list = (argument: unknown, path: string): unknown[] => {
  if (Array.isArray(argument)) return argument;
  throw notEmulated(path, 'an argument that is no list');
};

const referent = (name: string, scope: Scope): string =>
  PSEUDO_PARAMETERS[name] ?? scope.reference(name);

const PSEUDO_PARAMETERS: Record<string, string> = {
  'AWS::AccountId': ACCOUNT_ID,
  'AWS::Partition': PARTITION,
  'AWS::Region': REGION,
  'AWS::URLSuffix': 'amazonaws.com',
};
