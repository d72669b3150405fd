import { execFile } from 'node:child_process';
import { expect } from 'vitest';
import { PATIENCE_MS } from '../patience.ts';

/** A block of shell lines of a page, and the output that the page shows for it. */
export interface Step {
  /** The heading above the block. */
  readonly heading: string;
  readonly lines: string;
  /** In order; others may be between them. See `expectInOrder`. */
  readonly shown: readonly string[];
}

const HEADING_OR_FENCE = /^## (?<heading>[^\n]+)$|^```(?<language>\w+)\n(?<text>.*?)^```$/gms;

/** The fenced blocks of a Markdown page: each `sh` with the blocks that follow it. */
export const stepsOf = (markdown: string): readonly Step[] => {
  const steps: { heading: string; lines: string; shown: string[] }[] = [];
  let latest = '';
  for (const { groups } of markdown.matchAll(HEADING_OR_FENCE)) {
    const { heading, language, text = '' } = groups ?? {};
    if (heading !== undefined) latest = heading;
    else if (language === 'sh') steps.push({ heading: latest, lines: text, shown: [] });
    else steps.at(-1)?.shown.push(...text.trim().split('\n'));
  }
  return steps;
};

const MARK = '--- step ---';

export type Shell = 'bash' | 'zsh';

/** Pastes all steps into one shell, and returns the output of each. Rejects when a line fails. */
export const paste = (
  steps: readonly Step[],
  { deadlineMs = PATIENCE_MS, shell = 'bash' }: { deadlineMs?: number; shell?: Shell } = {},
): Promise<readonly string[]> => {
  const marked = steps.flatMap(({ lines }) => [lines, `printf '\\n${MARK}\\n'\n`]);
  return new Promise((resolve, reject) => {
    // A step waits forever for something that does not happen.
    const pasted = execFile(shell, { timeout: deadlineMs }, (fault, stdout, stderr) => {
      if (fault === null) resolve(stdout.split(`\n${MARK}\n`).slice(0, steps.length));
      else reject(new Error(`${fault.message}\n${stderr}\nafter:\n${stdout}`));
    });
    pasted.stdin?.end(`set -euo pipefail\n${marked.join('')}`);
  });
};

interface Matcher {
  asymmetricMatch(piece: unknown): boolean;
}

/**
 * A matcher for output as a document shows it: `…` stands for any text, and the document may leave out
 * members of a JSON object.
 */
export const asShown = (line: string): Matcher =>
  /^[[{]/.test(line) ? matcherOf(JSON.parse(line)) : textMatcher(line);

const matcherOf = (value: unknown): Matcher => {
  if (typeof value === 'string') return textMatcher(value);
  if (Array.isArray(value)) return expect.toSatisfy((piece) => isArrayOf(piece, value));
  if (typeof value !== 'object' || value === null) return expect.toSatisfy((it) => it === value);
  const members = Object.entries(value).map(([name, member]) => [name, matcherOf(member)]);
  return expect.objectContaining(Object.fromEntries(members));
};

const isArrayOf = (piece: unknown, values: readonly unknown[]): boolean =>
  Array.isArray(piece) &&
  piece.length === values.length &&
  values.every((value, at) => matcherOf(value).asymmetricMatch(piece[at]));

const textMatcher = (text: string): Matcher => {
  const parts = text.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return expect.stringMatching(new RegExp(`^${parts.join('.*')}$`, 's'));
};

/** Splits output into pieces: each is a JSON document of one or more lines, or a line of text. */
export const piecesOf = (output: string): readonly unknown[] => {
  const pieces: unknown[] = [];
  let begun = '';
  for (const line of output.split('\n')) {
    if (begun === '' && !/^[[{]/.test(line)) {
      if (line !== '') pieces.push(line);
      continue;
    }
    begun += `${line}\n`;
    const document = parse(begun);
    if (document === undefined) continue;
    pieces.push(document);
    begun = '';
  }
  if (begun !== '') throw new Error(`No JSON: ${begun}`);
  return pieces;
};

const parse = (text: string): object | undefined => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Expects the pieces in this order; there may be others between them. */
export const expectInOrder = (pieces: readonly unknown[], expected: readonly Matcher[]): void => {
  let rest = pieces;
  for (const matcher of expected) {
    expect(rest).toContainEqual(matcher);
    rest = rest.slice(rest.findIndex((piece) => matcher.asymmetricMatch(piece)) + 1);
  }
};
