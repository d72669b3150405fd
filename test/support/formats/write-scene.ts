import { DynamoDbChangeLog } from '../../../adapters/dynamodb/changes/change-log.ts';
import { DynamoDbDeliveryLog } from '../../../adapters/dynamodb/delivery-log/delivery-log.ts';
import { administrationPorts } from '../../../adapters/dynamodb/directory/administration-ports.ts';
import { dynamoDbConsoleLinks } from '../../../adapters/dynamodb/directory/console-links.ts';
import { DirectoryItems } from '../../../adapters/dynamodb/directory/directory-items.ts';
import { DynamoDbAccessTokens } from '../../../adapters/dynamodb/directory/tokens.ts';
import { DynamoDbIntegrationWriter } from '../../../adapters/dynamodb/integrations/integration-writer.ts';
import { DynamoDbTroubleStates } from '../../../adapters/dynamodb/integrations/trouble-states.ts';
import { DynamoDbPendingEvents } from '../../../adapters/dynamodb/pending-events/pending-events.ts';
import { DynamoDbSetAsideEvents } from '../../../adapters/dynamodb/pending-events/pending-store.ts';
import { DynamoDbSlotStore } from '../../../adapters/dynamodb/pending-events/slot-store.ts';
import {
  DynamoDbAttemptCounts,
  DynamoDbFilteredCounts,
} from '../../../adapters/dynamodb/statistics/statistics.ts';
import type { Delivery } from '../../../core/delivery/delivery.ts';
import { buildAdministration } from '../../../core/directory/administration.ts';
import { aStreamedAttempt } from '../delivery/statistics/streamed-attempts.ts';
import { A_MESSAGE } from '../event/platform-events.ts';
import {
  CHANGES,
  CLAIM,
  DUE_AT,
  FIRST_ATTEMPTS,
  LATER_ATTEMPTS,
  LOGGED,
  PENDING,
  QUIET,
  REMINDED_AT,
  SCENE_ACCOUNT,
  SCENE_HOUR,
  SCENE_IDENTITY,
  SCENE_LINK,
  SCENE_NOW,
  SCENE_RECORD,
  SCENE_SHARD,
  SET_ASIDE,
  SLOT,
  SLOWNESS,
  TROUBLE,
  TROUBLED,
  WAITING,
} from './scene.ts';
import type { SceneTables } from './scene-tables.ts';

/** Writes the scene with the writers of this version. */
export const writeScene = async (tables: SceneTables): Promise<void> => {
  await writeDirectory(tables);
  await writeIntegrations(tables);
  await writeKept(tables);
  await writeDeliveryLog(tables);
  await writeStatistics(tables);
  await new DynamoDbChangeLog(tables.client, tables.names.changes).add(CHANGES);
};

const writeDirectory = async ({ client, names }: SceneTables): Promise<void> => {
  let draws = 0;
  const administration = buildAdministration({
    ...administrationPorts(client, names.directory),
    now: () => SCENE_NOW,
    randomBytes: (size) => Buffer.alloc(size, ++draws),
  });
  await administration.createAccount(SCENE_ACCOUNT);
  await administration.createAccount('acme-sms', SCENE_ACCOUNT);
  await administration.createUser('u_ada', SCENE_ACCOUNT, 'admin');
  await administration.createUser('u_bob', 'acme-sms');
  await administration.identifyUser('u_ada', SCENE_IDENTITY);
  await administration.setSignature('u_ada', 'Ada, Acme Inc.');
  const { issued: used } = await administration.issueToken('u_ada', 'admin', 'the shop');
  const { issued: revoked } = await administration.issueToken('u_bob', 'member', 'a leak');
  await administration.revokeToken(SCENE_ACCOUNT, revoked.id);
  const usedAt = SCENE_NOW.toISOString();
  await new DynamoDbAccessTokens(client, names.directory).noteUse(used.hash, {
    usedAt,
    unlessAfter: usedAt,
  });
  const { account, user, role, sessionEndsAt: expiresAt } = SCENE_LINK;
  const { tokens } = administrationPorts(client, names.directory);
  const ofLink = { ...used, id: 'ses_1', hash: 'd0'.repeat(32), name: 'Console link' };
  const session = { ...ofLink, account, user, role, expiresAt } as const;
  await tokens.add(session);
  await dynamoDbConsoleLinks(new DirectoryItems(client, names.directory)).add(SCENE_LINK);
};

const writeIntegrations = async ({ client, names }: SceneTables): Promise<void> => {
  const integrations = new DynamoDbIntegrationWriter(client, names.integrations, {
    directoryTable: names.directory,
  });
  await integrations.add(QUIET);
  await integrations.add(TROUBLED, { record: SCENE_RECORD, replaced: undefined });
  const states = new DynamoDbTroubleStates(client, names.integrations);
  await states.begin(QUIET, WAITING);
  const transient = (startedAt: string, endedAt: string) => ({
    count: 'transients' as const,
    startedAt: at(startedAt),
    endedAt: at(endedAt),
  });
  // A success ends the first streak.
  await states.extendStreak(TROUBLED, transient('12:00:00', '12:00:15'));
  await states.confirm(TROUBLED, at('12:00:30'));
  await states.extendStreak(TROUBLED, transient('12:01:00', '12:01:15'));
  const refusal = { ...transient('12:01:15', '12:01:20'), count: 'refusals' as const };
  await states.extendStreak(TROUBLED, refusal);
  await states.begin(TROUBLED, TROUBLE);
  await states.claimRetry(TROUBLED, CLAIM);
  await states.noteSlowness(TROUBLED, SLOWNESS);
  await states.noteReminder(TROUBLED, REMINDED_AT);
  await states.countSetAside(TROUBLED, 1);
};

const at = (time: string): Date => new Date(`2026-11-20T${time}.000Z`);

const writeKept = async ({ client, names }: SceneTables): Promise<void> => {
  let versions = 0;
  const pending = new DynamoDbPendingEvents(client, names.pendingEvents, {
    newVersion: () => `#${++versions}`,
  });
  for (const delivery of PENDING) {
    const isDue = delivery.backoff === undefined;
    await pending.put(delivery, isDue ? A_MESSAGE : { ...A_MESSAGE, dueAt: DUE_AT });
  }
  const setAside = new DynamoDbSetAsideEvents(client, names.pendingEvents);
  for (const delivery of SET_ASIDE) await setAside.add(delivery);
  await new DynamoDbSlotStore(client, names.pendingEvents).takeSlot(TROUBLED, SLOT);
};

const writeDeliveryLog = async ({ client, names }: SceneTables): Promise<void> => {
  const log = new DynamoDbDeliveryLog(client, names.deliveryLog, {
    deadlineMs: 8_000,
    now: () => SCENE_NOW,
  });
  const deliveries = Object.values(LOGGED);
  const isOf =
    (delivery: Delivery) =>
    ({ event }: { event: Delivery['event'] }): boolean =>
      event.id === delivery.event.id;
  for (const delivery of deliveries) {
    const attempt = FIRST_ATTEMPTS.find(isOf(delivery));
    if (attempt) await log.write([{ delivery, attempt, logged: 'nothing' }]);
    else await log.list([delivery]);
  }
  for (const attempt of LATER_ATTEMPTS.toSorted((one, other) => one.number - other.number)) {
    const delivery = deliveries.find((logged) => isOf(logged)(attempt));
    if (delivery) await log.write([{ delivery, attempt, logged: 'attempted' }]);
  }
};

const writeStatistics = async ({ client, names }: SceneTables): Promise<void> => {
  const counts = new DynamoDbAttemptCounts(client, names.statistics);
  await counts.add({ integration: TROUBLED.id, hour: SCENE_HOUR }, SCENE_SHARD, [
    aStreamedAttempt({ integration: TROUBLED.id, position: '1' }),
    aStreamedAttempt({
      integration: TROUBLED.id,
      position: '2',
      counted: 'fatal',
      answeredAfterMs: 900,
    }),
    aStreamedAttempt({ integration: TROUBLED.id, position: '3', counted: 'transient' }),
    aStreamedAttempt({
      integration: TROUBLED.id,
      position: '4',
      counted: 'deliveredEvents',
      answeredAfterMs: undefined,
    }),
  ]);
  const filtered = new DynamoDbFilteredCounts(client, names.statistics, { deadlineMs: 8_000 });
  const of = { account: TROUBLED.account, hour: SCENE_HOUR };
  await filtered.addFiltered(of, new Map([[TROUBLED.id, 2]]));
};
