import { once } from 'node:events';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { Arrivals } from '../../../local/demo/playground-hook.ts';
import type { Receiver } from '../../../packages/console/serving/receivers.ts';
import { outOfPatience, PATIENCE_MS } from '../patience.ts';
import { type Post, post } from './posts.ts';
import { endOf, signal, startInShell } from './shell.ts';

export interface Secrets {
  readonly secret: string;
  readonly previousSecret?: string;
}

/** How to start a receiver. */
export type Startable = Pick<Receiver, 'folder' | 'readsToTheEnd'> & {
  /** A shell command, which runs in the folder. The README's have port 3000 and `whsec_…`. */
  readonly start: string;
  readonly env?: Readonly<Record<string, string>>;
};

const BETWEEN_CALLS_MS = 100;

/** A receiver that runs, and what it prints. */
export class ReceiverProgram {
  readonly port: number;
  readonly secrets: Secrets;
  readonly readsToTheEnd: boolean;
  /** The folder in which it keeps deliveries, in a file or a folder. */
  readonly #store: string;
  readonly #child: ReturnType<typeof startInShell>;
  /** The lines of its standard output that tell of requests. */
  readonly #told = new Arrivals<string>();
  #output = '';

  /** Resolves once it refuses a request without signature. Throws with its output if it never does. */
  static async start(receiver: Startable, secrets: Secrets): Promise<ReceiverProgram> {
    const store = await mkdtemp(join(tmpdir(), 'receiver-store-'));
    const program = new ReceiverProgram(receiver, secrets, { port: await freePort(), store });
    try {
      await program.#refusesTheUnsigned();
    } catch (fault) {
      await program.stop();
      throw fault;
    }
    return program;
  }

  private constructor(
    { start, folder, readsToTheEnd, env }: Startable,
    secrets: Secrets,
    { port, store }: { port: number; store: string },
  ) {
    this.port = port;
    this.#store = store;
    this.secrets = secrets;
    this.readsToTheEnd = readsToTheEnd;
    this.#child = startInShell(
      start.replace('3000', String(port)).replace('whsec_…', secrets.secret),
      {
        cwd: folder,
        env: {
          ...env,
          PORT: String(port),
          INBOX: join(store, 'inbox'),
          WEBHOOK_SECRET: secrets.secret,
          ...(secrets.previousSecret && { PREVIOUS_WEBHOOK_SECRET: secrets.previousSecret }),
        },
      },
    );
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
      });
    }
    createInterface(this.#child.stdout).on('line', (line) => {
      if (/^(accepted|duplicate|refused)\b/.test(line)) this.#told.add(line);
    });
  }

  /** All of it, with the standard error. */
  get output(): string {
    return this.#output;
  }

  get told(): readonly string[] {
    return this.#told.all;
  }

  /** Resolves when the lines that it has told satisfy the condition. */
  async tells(isMet: (told: readonly string[]) => boolean, awaited: string): Promise<void> {
    if (await this.#told.until(() => isMet(this.told), AbortSignal.timeout(PATIENCE_MS))) return;
    throw outOfPatience(`a line of the receiver: ${awaited}`, this.told.slice(-5));
  }

  /** Does something while the receiver cannot store deliveries. */
  async withoutStore<Done>(act: () => Promise<Done>): Promise<Done> {
    const away = `${this.#store}-away`;
    await rename(this.#store, away);
    try {
      return await act();
    } finally {
      await rename(away, this.#store);
    }
  }

  /** Ends its process group with SIGTERM. Resolves to whether that was enough. */
  async stop(): Promise<boolean> {
    const { exitCode, signalCode } = this.#child;
    const isRunning = exitCode === null && signalCode === null;
    const closed = once(this.#child, 'close');
    signal(this.#child, 'SIGTERM');
    await rm(this.#store, { recursive: true, force: true });
    if (!isRunning) return false;
    const isEnough = await Promise.race([
      closed.then(() => true),
      delay(PATIENCE_MS, false, { ref: false }),
    ]);
    if (!isEnough) {
      signal(this.#child, 'SIGKILL');
      await closed;
    }
    return isEnough;
  }

  async #refusesTheUnsigned(): Promise<void> {
    const endsAt = performance.now() + PATIENCE_MS;
    let seen = 'no answer';
    while (performance.now() < endsAt && this.#child.exitCode === null) {
      seen = await post(this.port, unsigned(this.port)).then(
        ({ status }) => String(status),
        ({ message }) => message,
      );
      if (seen === '401') return this.tells((told) => told.includes('refused'), 'refused');
      await delay(BETWEEN_CALLS_MS);
    }
    throw new Error(
      `It does not answer an unsigned POST of /hooks with 401, but: ${seen}\n${endOf(this.#output)}`,
    );
  }
}

const unsigned = (port: number): Post => ({
  path: '/hooks',
  headers: [
    ['Host', `127.0.0.1:${port}`],
    ['Content-Type', 'application/json'],
    ['Content-Length', '2'],
  ],
  body: Buffer.from('{}'),
});

/** Another process could take it at once, but none does. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};
