import { execFile } from 'node:child_process';
import { PATIENCE_MS } from '../patience.ts';

/** A block of shell lines of a document, and the lines that it says are printed. */
export interface Step {
  /** The bold words above it. */
  readonly caption: string;
  readonly lines: string;
  /** In order; others may be between them. See `expectInOrder`. */
  readonly shown: readonly string[];
}

const CAPTION_OR_FENCE = /^\*\*(?<caption>[^*]+)\*\*|^```(?<language>\w+)\n(?<text>.*?)^```$/gms;

/** The fenced blocks of a section of a Markdown text: each `sh` with what follows it. */
export const stepsOf = (markdown: string, heading: string): readonly Step[] => {
  const [, section] = markdown.split(`\n## ${heading}\n`);
  if (section === undefined) throw new Error(`There is no section "${heading}".`);
  const [body = ''] = section.split('\n## ');
  const steps: { caption: string; lines: string; shown: string[] }[] = [];
  let latest = heading;
  for (const { groups } of body.matchAll(CAPTION_OR_FENCE)) {
    const { caption, language, text = '' } = groups ?? {};
    if (caption !== undefined) latest = caption;
    else if (language === 'sh') steps.push({ caption: latest, lines: text, shown: [] });
    else steps.at(-1)?.shown.push(...text.trim().split('\n'));
  }
  return steps;
};

const MARK = '--- step ---';

/** Pastes all steps into one bash, in order; what each printed. Rejects when a line fails. */
export const paste = (steps: readonly Step[]): Promise<readonly string[]> => {
  const marked = steps.flatMap(({ lines }) => [lines, `printf '\\n${MARK}\\n'\n`]);
  return new Promise((resolve, reject) => {
    // A step that waits for something waits for good when it does not come.
    const bash = execFile('bash', { timeout: PATIENCE_MS }, (fault, stdout, stderr) => {
      if (fault === null) resolve(stdout.split(`\n${MARK}\n`).slice(0, steps.length));
      else reject(new Error(`${fault.message}\n${stderr}\nafter:\n${stdout}`));
    });
    bash.stdin?.end(`set -euo pipefail\n${marked.join('')}`);
  });
};
