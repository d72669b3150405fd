import { newIntegrationId } from '../../../adapters/crypto/random-ids.ts';
import type { CheckResult } from '../../../admin/checks/check.ts';
import type { CommandProcess } from '../../../admin/command.ts';
import { runCommandLine } from '../../../admin/command-line.ts';
import { buildOverview, primaryAccount } from '../../../admin/connection.ts';
import { buildImportLines } from '../../../admin/import-lines.ts';
import { buildIntegrationChanges } from '../../../admin/integration-changes.ts';
import { buildTroubleSchedules } from '../../../admin/retry-schedules.ts';
import { DEAD_LETTER_QUEUE_NAMES, type DeadLetterQueueName } from '../../../admin/stage-queues.ts';
import type { StageStatus } from '../../../admin/stage-status.ts';
import type { SignInAccounts } from '../../../core/directory/identify-user.ts';
import type { PlatformEvent } from '../../../core/event/event.ts';
import { InMemoryDeadLetterQueue } from '../delivery/in-memory-dead-letter-queue.ts';
import { InMemoryDeliveryIndex } from '../delivery/in-memory-delivery-index.ts';
import { InMemoryDeliveryLog } from '../delivery/in-memory-delivery-log.ts';
import { InMemoryHostAddresses } from '../integration/in-memory-host-addresses.ts';
import {
  InMemorySecrets,
  InMemorySecretWraps,
  quickHash,
} from '../integration/in-memory-secrets.ts';
import { untouchable } from '../untouchable.ts';
import { accountRemovalOver, inMemoryStores } from './account-removal.ts';
import { administrationInMemory } from './administration.ts';

const NOON = new Date('2026-11-20T12:00:00.000Z');

/** The command line over a connection, at noon; by default every file is empty and every answer is no. */
export const commandLineOver =
  (connect: CommandProcess['connect'], terminal: Partial<CommandProcess> = {}) =>
  async (...words: string[]) => {
    const written = { out: '', error: '' };
    const exitCode = await runCommandLine(words, {
      connect,
      readText: async () => '',
      confirm: async () => false,
      newEventId: () => 'evt_new',
      now: () => NOON,
      writeOut: (text) => {
        written.out += text;
      },
      writeError: (text) => {
        written.error += text;
      },
      ...terminal,
    });
    return { exitCode, ...written };
  };

/** The operators' command line over a Directory in memory, with the files that it can read. */
export const commandLineInMemory = (
  files: Record<string, string> = {},
  { status, checks = [] }: { status?: StageStatus; checks?: readonly CheckResult[] } = {},
) => {
  const { administration, directory } = administrationInMemory();
  const stores = inMemoryStores(directory);
  const { integrations, pendingEvents, pending } = stores;
  const log = new InMemoryDeliveryLog();
  const index = new InMemoryDeliveryIndex();
  const deadLetters = Object.fromEntries(
    DEAD_LETTER_QUEUE_NAMES.map((name) => [name, new InMemoryDeadLetterQueue()]),
  ) as Record<DeadLetterQueueName, InMemoryDeadLetterQueue>;
  const answers: boolean[] = [];
  const sent: PlatformEvent[] = [];
  const connections: string[] = [];
  const connect: CommandProcess['connect'] = async ({ stage = 'local' }) => {
    connections.push(stage);
    return {
      target: { stage, place: 'a test', clientConfig: {} },
      administration: async () => administration,
      signIns: async () => untouchable<SignInAccounts>('the user pool'),
      consoleUrl: async () => 'https://console.example.com',
      userPool: async () => stores.pool,
      accountRemoval: async () => accountRemovalOver(stores),
      logRetentionDays: async () => 30,
      overview: async () =>
        buildOverview({
          integrations,
          deliveryLogReader: log,
          pending,
          index,
          now: () => NOON,
        }),
      deadLetters: async () => ({
        names: async () => DEAD_LETTER_QUEUE_NAMES,
        queue: async (name) => deadLetters[name],
      }),
      troubleSchedules: async () => buildTroubleSchedules(stores),
      integrationChanges: async () =>
        buildIntegrationChanges({ ...stores, now: () => NOON, sleep: async () => {} }),
      importLines: async () =>
        buildImportLines({
          ...stores,
          secrets: new InMemorySecrets(),
          secretWraps: new InMemorySecretWraps(),
          slowHash: quickHash,
          hosts: new InMemoryHostAddresses(),
          guard: { allowLoopback: false, ownHosts: ['api.example.com'] },
          signatures: directory.signatures,
          hasUser: async (id) => (await directory.users.find(id)) !== undefined,
          requireAccount: async (name) =>
            primaryAccount(await connect({ stage, stateDirectory: '' }), name),
          newIntegrationId,
          now: () => NOON,
        }),
      status: async () => {
        if (status === undefined) throw new Error('The test gives no status.');
        return status;
      },
      verify: async () => checks,
      eventsQueue: async () => ({ send: async (event) => `message-${sent.push(event)}` }),
    };
  };
  const run = commandLineOver(connect, {
    readText: async (path) => files[path] ?? '',
    confirm: async () => answers.shift() ?? false,
  });
  return {
    run,
    sent,
    connections,
    directory,
    pool: stores.pool,
    integrations,
    schedules: stores.schedules,
    replays: stores.replays,
    log,
    index,
    pendingEvents,
    deadLetters,
    /** To questions, in their order; further questions are answered with no. */
    answers,
  };
};
