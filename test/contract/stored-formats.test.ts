import { CreateScheduleCommand } from '@aws-sdk/client-scheduler';
import { type EmulatedScheduler, startScheduler } from 'local-aws/test/support/scheduler.ts';
import { type EmulatedTables, startTables } from 'local-aws/test/support/tables.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeResource } from '../../core/changes/change-resource.ts';
import { parseDeliveryMessage } from '../../core/delivery/delivery-queue.ts';
import { parseReplayMessage, replayMessage } from '../../core/delivery/pending/replay-requests.ts';
import { parseScheduleInput } from '../../core/delivery/trouble/begin-trouble.ts';
import first from '../support/formats/1.json' with { type: 'json' };
import { readScene } from '../support/formats/read-scene.ts';
import { TROUBLED } from '../support/formats/scene.ts';
import { createdSchedule, SCENE_GROUP, sceneSchedules } from '../support/formats/scene-schedule.ts';
import {
  createSceneTables,
  type FrozenTables,
  type Item,
  itemsIn,
  keyOf,
  putItems,
  TABLE_KINDS,
} from '../support/formats/scene-tables.ts';
import stored100 from '../support/formats/stored-1.0.0.json' with { type: 'json' };
import { writeScene } from '../support/formats/write-scene.ts';

/**
 * The stored items of each release, oldest first. Files are never changed: items of a version are
 * in the tables, and its schedules fire, long after the next version is deployed.
 */
const RELEASED = [['1.0.0', stored100]] as const;
const [, latest] = RELEASED[0];

let tables: EmulatedTables;
let scheduler: EmulatedScheduler;
beforeAll(async () => {
  [tables, scheduler] = [await startTables(), await startScheduler()];
  scheduler.schedules.createGroup(SCENE_GROUP);
});
afterAll(() => Promise.all([tables.stop(), scheduler.stop()]));

describe.each(RELEASED)('what version %s stored', (_version, stored) => {
  it('is read by this version', async () => {
    const scene = await createSceneTables(tables);
    await putItems(scene, stored.tables);

    expect(await readScene(scene)).toMatchObject(stored.read);
  });

  it('has changes that this version serves as its schema says', () => {
    for (const change of stored.read.changes) expect(changeResource.parse(change)).toEqual(change);
  });

  it('has a schedule that this version reads, leaves as it is, and removes', async () => {
    const { Target, StartDate, ...schedule } = stored.schedule;
    const create = new CreateScheduleCommand({
      ...schedule,
      Target,
      StartDate: new Date(StartDate),
      FlexibleTimeWindow: { Mode: 'FLEXIBLE', MaximumWindowInMinutes: 10 },
    });
    await scheduler.client.send(create);
    const { account, id, epoch } = TROUBLED;

    expect(parseScheduleInput(Target.Input)).toEqual({ account, id, epoch });
    const schedules = sceneSchedules(scheduler);
    await schedules.ensure(TROUBLED);
    await schedules.remove(TROUBLED);
    // There is room for it again: it was the very same schedule.
    await scheduler.client.send(create);
    await schedules.remove(TROUBLED);
  });
});

/** A type of a later version, instead of the one that the fixtures have. */
const ofLaterType = <Fixture>(fixture: Fixture): Fixture =>
  JSON.parse(JSON.stringify(fixture).replaceAll('message.received', 'letter.returned'));

describe('an event type that this version does not know', () => {
  it('is read in each stored item that has a type', async () => {
    const scene = await createSceneTables(tables);
    const { tables: items, read } = ofLaterType(latest);
    await putItems(scene, items);

    expect(await readScene(scene)).toMatchObject(read);
  });

  it('is read in each message that has a type', () => {
    const delivery = parseDeliveryMessage(first.delivery);
    const sampled = [{ event: delivery.event, priorAttempts: 0 }];
    const pace = { size: 1, left: 0, usual: { answers: 0, refused: 0 }, sampled };
    const request = { account: delivery.account, id: delivery.integration, pace };

    expect(parseDeliveryMessage(ofLaterType(first.delivery))).toEqual(ofLaterType(delivery));
    expect(parseReplayMessage(ofLaterType(replayMessage(request)))).toEqual(ofLaterType(request));
  });
});

/** Drawn anew by each write: the name alone is compared. */
const DRAWN = new Set(['writeId']);

/** A compressed body: the number of the dictionary alone is compared, which a reader has to know. */
const COMPRESSED = new Set(['deflated']);

const comparable = (item: Item): Item =>
  Object.fromEntries(
    Object.entries(item).map(([name, value]) => {
      if (DRAWN.has(name)) return [name, typeof value];
      if (COMPRESSED.has(name)) return [name, (value as { dictionary: number }).dictionary];
      return [name, value];
    }),
  );

const byKey = (frozen: FrozenTables): ReadonlyMap<string, Item> =>
  new Map(
    TABLE_KINDS.flatMap((kind) =>
      frozen[kind].map((item) => [`${kind} ${keyOf(kind, item)}`, comparable(item)] as const),
    ),
  );

describe('what this version stores', () => {
  it('has what the latest release stored, so that a rollback reads it', async () => {
    const scene = await createSceneTables(tables);
    await writeScene(scene);
    const written = byKey(await itemsIn(scene));
    const released = byKey(latest.tables);

    expect([...written.keys()].toSorted()).toEqual([...released.keys()].toSorted());
    for (const [key, item] of released) expect(written.get(key), key).toMatchObject(item);
    expect(await createdSchedule(scheduler)).toMatchObject(latest.schedule);
  });

  it('is read by a version that does not know added members', async () => {
    const scene = await createSceneTables(tables);
    await putItems(scene, latest.tables, { added: { laterMember: 'of a later version' } });

    expect(await readScene(scene)).toMatchObject(latest.read);
  });
});
