import { afterAll, describe, it } from 'vitest';
import { type Receiver, readReceivers } from '../../packages/console/serving/receivers.ts';
import { receiverOfFile } from '../support/receiver/journey-receiver.ts';
import { casesOf, LAST_CASES, runCase } from '../support/receivers/cases.ts';
import type { Route } from '../support/receivers/posts.ts';
import { ReceiverUnderTest } from '../support/receivers/receiver-under-test.ts';
import { missingTool, runInShell } from '../support/receivers/shell.ts';

/** Package managers fetch everything from their registries at first. */
const INSTALL_MS = 900_000;

const front = await receiverOfFile();

const routesOf = ({ standardWebhooks }: Receiver): readonly Route[] =>
  standardWebhooks ? ['/hooks', '/standard-hooks'] : ['/hooks'];

describe.each(readReceivers())('$name', (receiver) => {
  let isInstalled = false;
  let tested: ReceiverUnderTest | undefined;
  afterAll(() => tested?.stop());

  it('is installed', { timeout: INSTALL_MS }, async ({ skip }) => {
    const missing = await missingTool(receiver.toolchain);
    if (missing !== undefined) {
      skip(`RECEIVER ${receiver.name} WAS NOT TESTED: \`${missing}\` fails. Install it.`);
    }
    for (const command of receiver.install) {
      await runInShell(command, { cwd: receiver.folder, timeoutMs: INSTALL_MS });
    }
    isInstalled = true;
  });

  it('starts', async ({ skip }) => {
    if (!isInstalled) skip();
    tested = await ReceiverUnderTest.start(receiver, front);
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
