import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startHttpServer } from 'local-aws/http-server.ts';
import { expect, it, onTestFinished } from 'vitest';
import { inChunks } from '../../core/in-chunks.ts';
import { curlCommand } from '../../packages/console/src/pages/webhook/curl-command.ts';

const ID = '/integrations/8Fq2LmZ0aBcD/deliveries/evt_1';

/** The bodies received from commands pasted at the prompt of a shell, and the files left there. */
const pasted = async (shell: string, commands: readonly string[]) => {
  const bodies: string[] = [];
  // A terminal takes 4 KiB ahead of its reader: the next command waits for the request of this one.
  const pasteNext = () => terminal.stdin.write(commands[bodies.length] ?? 'exit\n');
  const server = await startHttpServer({
    handle: ({ body }) => {
      bodies.push(body.toString());
      pasteNext();
      return 204;
    },
  });
  const cwd = await mkdtemp(join(tmpdir(), 'pasted-'));
  // The terminal of util-linux passes on what a terminal without bracketed paste does.
  const terminal = spawn('script', ['--quiet', '--command', shell, '/dev/null'], {
    cwd,
    env: { PATH: process.env.PATH, TO: server.origin, WEBHOOK_SECRET: 'a secret of 20 bytes' },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  onTestFinished(() => void terminal.kill());
  pasteNext();
  await once(terminal, 'close');
  const files = await readdir(cwd);
  await Promise.all([server.close(), rm(cwd, { recursive: true })]);
  return { bodies, files };
};

/** Ends the quotes of a word, by their own sign or by deleting them, and runs a command. */
const attackWith = (control: string): string =>
  `'${control.repeat(3)}; touch RUN; echo '${control}\n! touch RUN\n!!`;

const CHARACTERS = [
  ...Array.from({ length: 0xa0 }, (_, code) => String.fromCodePoint(code)),
  ...['\u2028', '\u202e', '\u{1f600}'],
];

it.each(['dash -i', 'sh -i', 'bash --norc -i', 'bash --norc --noediting -i'])(
  'A body pasted as a command at the prompt of %s runs nothing',
  async (shell) => {
    const sent = inChunks(CHARACTERS, 16).map((some) => some.map(attackWith).join(''));
    const commands = sent.map((body) => curlCommand({ id: ID }, body));

    const { bodies, files } = await pasted(shell, commands);

    expect(files).toEqual([]);
    expect(bodies).toEqual(sent);
  },
);
