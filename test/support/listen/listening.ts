import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll } from 'vitest';
import { outOfPatience, PATIENCE_MS } from '../patience.ts';

const BETWEEN_LOOKS_MS = 50;

/** A run of the downloaded program. */
export class Listening {
  /** What it has printed, errors included. */
  output = '';
  readonly exitCode: Promise<number | null>;
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;

  constructor(child: ChildProcessByStdio<null, Readable, Readable>) {
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (part) => {
        this.output += part;
      });
    }
    this.exitCode = once(child, 'close').then(([code]) => code);
  }

  /** Resolves when it has printed the text so many times. */
  async prints(text: string, times = 1): Promise<void> {
    const endsAt = performance.now() + PATIENCE_MS;
    while (this.output.split(text).length <= times) {
      if (performance.now() > endsAt || this.#child.exitCode !== null) {
        throw outOfPatience(`"${text}", ${times} times`, this.output);
      }
      await delay(BETWEEN_LOOKS_MS);
    }
  }

  /** Ctrl-C. Resolves to the instant that it says to go on with. */
  async interrupt(): Promise<string> {
    this.#child.kill('SIGINT');
    await this.exitCode;
    return /--since (\S+)\n$/.exec(this.output)?.[1] ?? '';
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}

interface Wishes {
  readonly words: readonly string[];
  readonly token?: string;
  readonly secret?: string;
}

/** Downloads the program for the tests of a file. Ends its runs after them. */
export const downloadListen = async (api: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'listen-'));
  const file = join(folder, 'listen.mjs');
  await writeFile(file, await (await fetch(`${api}/listen.mjs`)).text());
  const runs: Listening[] = [];
  afterAll(async () => {
    for (const run of runs) run.kill();
    await rm(folder, { recursive: true });
  });
  return ({ words, token, secret }: Wishes): Listening => {
    const { SERVICE_TOKEN: _, WEBHOOK_SECRET: __, ...environment } = process.env;
    const run = new Listening(
      spawn(process.execPath, [file, ...words], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          ...environment,
          ...(token !== undefined && { SERVICE_TOKEN: token }),
          ...(secret !== undefined && { WEBHOOK_SECRET: secret }),
        },
      }),
    );
    runs.push(run);
    return run;
  };
};
