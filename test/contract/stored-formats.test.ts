import { CreateScheduleCommand } from '@aws-sdk/client-scheduler';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseScheduleInput } from '../../core/delivery/trouble/begin-trouble.ts';
import { type EmulatedScheduler, startScheduler } from '../support/adapters/emulated-scheduler.ts';
import { type EmulatedTables, startTables } from '../support/adapters/emulated-tables.ts';
import {
  type FrozenTables,
  type Item,
  itemsIn,
  putItems,
} from '../support/formats/frozen-items.ts';
import { readScene } from '../support/formats/read-scene.ts';
import { TROUBLED } from '../support/formats/scene.ts';
import { createdSchedule, SCENE_GROUP, sceneSchedules } from '../support/formats/scene-schedule.ts';
import { createSceneTables, keyOf, TABLE_KINDS } from '../support/formats/scene-tables.ts';
import stored010 from '../support/formats/stored-0.1.0.json' with { type: 'json' };
import { writeScene } from '../support/formats/write-scene.ts';

/**
 * What each released version stored, oldest first. Files are never changed: items of a version are
 * in the tables, and its schedules fire, long after the next version is deployed.
 */
const RELEASED = [['0.1.0', stored010]] as const;
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

  it('has a schedule that this version understands, leaves as it is, and removes', async () => {
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
  it('has all that the latest release stored of the same, so that a rollback reads it', async () => {
    const scene = await createSceneTables(tables);
    await writeScene(scene);
    const written = byKey(await itemsIn(scene));
    const released = byKey(latest.tables);

    expect([...written.keys()].toSorted()).toEqual([...released.keys()].toSorted());
    for (const [key, item] of released) expect(written.get(key), key).toMatchObject(item);
    expect(await createdSchedule(scheduler)).toMatchObject(latest.schedule);
  });

  it('is read by whoever does not know what is added: members are ignored, wherever they are', async () => {
    const scene = await createSceneTables(tables);
    await putItems(scene, latest.tables, { added: { laterMember: 'of a later version' } });

    expect(await readScene(scene)).toMatchObject(latest.read);
  });
});
