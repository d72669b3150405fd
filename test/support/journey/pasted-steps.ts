import { execFile } from 'node:child_process';
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

/** Pastes all steps into one bash, and returns the output of each. Rejects when a line fails. */
export const paste = (
  steps: readonly Step[],
  deadlineMs = PATIENCE_MS,
): Promise<readonly string[]> => {
  const marked = steps.flatMap(({ lines }) => [lines, `printf '\\n${MARK}\\n'\n`]);
  return new Promise((resolve, reject) => {
    // A step waits forever for something that does not happen.
    const bash = execFile('bash', { timeout: deadlineMs }, (fault, stdout, stderr) => {
      if (fault === null) resolve(stdout.split(`\n${MARK}\n`).slice(0, steps.length));
      else reject(new Error(`${fault.message}\n${stderr}\nafter:\n${stdout}`));
    });
    bash.stdin?.end(`set -euo pipefail\n${marked.join('')}`);
  });
};
