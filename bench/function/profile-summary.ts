import { SourceMap } from 'node:module';
import { dirname, relative, resolve } from 'node:path';

interface ProfileNode {
  readonly id: number;
  readonly callFrame: {
    readonly functionName: string;
    readonly url: string;
    readonly lineNumber: number;
    readonly columnNumber: number;
  };
  readonly children?: readonly number[];
}

/** What V8 writes into a .cpuprofile file. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Shares of the CPU time, from 0 to 1. */
export interface Share {
  /** A package, a file of ours, or in brackets what belongs to neither. */
  readonly name: string;
  /** In the code itself. */
  readonly self: number;
  /** In the code itself, and in Node's own code that it calls. */
  readonly withNode: number;
}

interface Bundle {
  /** How the profile names the bundle. */
  readonly url: string;
  readonly file: string;
  readonly sourceMap: string;
}

const NODE = '(Node)';
/** What V8 names so is work, but of no code; `(program)` is native code outside of JavaScript. */
const OF_NO_CODE = ['(garbage collector)', '(program)'];
const NOT_WORK = ['(idle)', '(root)'];

/** The time in each package and in each file of ours, the greatest first. */
export const summarise = (
  { nodes, samples, timeDeltas }: CpuProfile,
  bundle: Bundle,
): readonly Share[] => {
  const map = new SourceMap(JSON.parse(bundle.sourceMap));
  const ownerOf = ({ callFrame: { functionName, url, lineNumber, columnNumber } }: ProfileNode) => {
    if (OF_NO_CODE.includes(functionName)) return functionName;
    if (url !== bundle.url) return undefined;
    const entry = map.findEntry(lineNumber, columnNumber);
    return 'originalSource' in entry ? nameOf(entry.originalSource, bundle.file) : undefined;
  };
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const owners = new Map<number, { self: string; withNode: string }>();
  const visit = (node: ProfileNode, caller: string): void => {
    const own = ownerOf(node);
    owners.set(node.id, { self: own ?? NODE, withNode: own ?? caller });
    for (const id of node.children ?? []) {
      const child = byId.get(id);
      if (child) visit(child, own ?? caller);
    }
  };
  const [root] = nodes;
  if (root) visit(root, NODE);

  const spent = { self: new Map<string, number>(), withNode: new Map<string, number>() };
  let total = 0;
  samples.forEach((id, index) => {
    const name = byId.get(id)?.callFrame.functionName ?? '';
    const owner = owners.get(id);
    if (!owner || NOT_WORK.includes(name)) return;
    const delta = timeDeltas[index] ?? 0;
    total += delta;
    for (const kind of ['self', 'withNode'] as const) {
      spent[kind].set(owner[kind], (spent[kind].get(owner[kind]) ?? 0) + delta);
    }
  });
  return [...new Set([...spent.self.keys(), ...spent.withNode.keys()])]
    .map((name) => ({
      name,
      self: (spent.self.get(name) ?? 0) / total,
      withNode: (spent.withNode.get(name) ?? 0) / total,
    }))
    .toSorted((a, b) => b.withNode - a.withNode);
};

/** The sources of a bundle are named from the bundle's folder. */
const nameOf = (source: string, bundleFile: string): string => {
  const path = relative(process.cwd(), resolve(dirname(bundleFile), source));
  const [, inPackage] = path.match(/.*node_modules\/(.*)/) ?? [];
  if (inPackage === undefined) return path;
  const [scope = '', name = ''] = inPackage.split('/');
  return scope.startsWith('@') ? `${scope}/${name}` : scope;
};

const GROUPS: readonly (readonly [name: string, members: RegExp])[] = [
  ['AWS SDK and Smithy', /^@(aws-sdk|smithy|aws-crypto)\//],
  ['logger and metrics', /^(@aws-lambda-powertools\/|@aws\/|lambdas\/_runtime\/reporting)/],
  ['signing', /signature-headers/],
  ['other code of ours', /^(core|adapters|lambdas)\//],
];

/** The same shares, added up in few groups. */
export const grouped = (shares: readonly Share[]): readonly Share[] => {
  const groups = new Map<string, Share>();
  for (const { name, self, withNode } of shares) {
    const group =
      GROUPS.find(([, members]) => members.test(name))?.[0] ??
      (name.startsWith('(') ? name : 'other packages');
    const sum = groups.get(group) ?? { name: group, self: 0, withNode: 0 };
    groups.set(group, { name: group, self: sum.self + self, withNode: sum.withNode + withNode });
  }
  return [...groups.values()].toSorted((a, b) => b.withNode - a.withNode);
};
