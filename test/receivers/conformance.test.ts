import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, it } from 'vitest';
import { renderGuides } from '../../lib/constructs/guides.ts';
import { type Receiver, readReceivers } from '../../packages/console/serving/receivers.ts';
import { receiverOfFile } from '../support/receiver/journey-receiver.ts';
import { casesOf, LAST_CASES, runCase } from '../support/receivers/cases.ts';
import type { Route } from '../support/receivers/posts.ts';
import { ReceiverUnderTest } from '../support/receivers/receiver-under-test.ts';
import { missingTool, runInShell } from '../support/receivers/shell.ts';

const { files } = renderGuides();

/** A folder with what the page of a receiver shows, and nothing else. */
const unpacked = async (name: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'receiver-'));
  await writeFile(join(folder, 'all.tar'), files[`/guides/receivers/${name}/${name}.tar`] ?? '');
  await runInShell('tar xf all.tar', { cwd: folder, timeoutMs: INSTALL_MS });
  return folder;
};

/** Package managers fetch everything from their registries at first. */
const INSTALL_MS = 900_000;

const front = await receiverOfFile();

const routesOf = ({ standardWebhooks }: Receiver): readonly Route[] =>
  standardWebhooks ? ['/hooks', '/standard-hooks'] : ['/hooks'];

describe.each(readReceivers())('$name', (receiver) => {
  let unpackedIn: string | undefined;
  let folder: string | undefined;
  let tested: ReceiverUnderTest | undefined;
  afterAll(async () => {
    await tested?.stop();
    if (unpackedIn !== undefined) await rm(unpackedIn, { recursive: true, force: true });
  });
  const start = receiver.commands.at(-1) ?? '';

  it('is installed', { timeout: INSTALL_MS }, async ({ skip }) => {
    const missing = await missingTool(receiver.toolchain);
    if (missing !== undefined) {
      skip(`RECEIVER ${receiver.name} WAS NOT TESTED: \`${missing}\` fails. Install it.`);
    }
    unpackedIn = await unpacked(receiver.name);
    const cwd = join(unpackedIn, receiver.name);
    for (const command of receiver.commands.slice(0, -1)) {
      await runInShell(command, { cwd, timeoutMs: INSTALL_MS });
    }
    folder = cwd;
  });

  it('starts', async ({ skip }) => {
    if (folder === undefined) return skip();
    tested = await ReceiverUnderTest.start({ ...receiver, folder, start }, front);
  });

  describe.each(routesOf(receiver))('%s', (route) => {
    it.for(casesOf(route))('%s', async (name, { skip }) => {
      if (tested === undefined) return skip();
      await runCase(name, tested.at(route));
    });
  });

  it.for(LAST_CASES)('%s', async (name, { skip }) => {
    if (tested === undefined) return skip();
    await runCase(name, tested.at('/hooks'));
  });
});
