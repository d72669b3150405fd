import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { startScheduler } from 'local-aws/test/support/scheduler.ts';
import { startTables } from 'local-aws/test/support/tables.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { readScene } from './read-scene.ts';
import { createdSchedule, SCENE_GROUP } from './scene-schedule.ts';
import { createSceneTables, itemsIn } from './scene-tables.ts';
import { writeScene } from './write-scene.ts';

/**
 * `npm run freeze` writes the fixture of what this version stores, before the
 * version is released. Fails if there is a fixture of the version: a fixture is never changed.
 */
const file = fileURLToPath(new URL(`./stored-${packageJson.version}.json`, import.meta.url));
const [tables, scheduler] = [await startTables(), await startScheduler()];
scheduler.schedules.createGroup(SCENE_GROUP);
try {
  const scene = await createSceneTables(tables);
  await writeScene(scene);
  const stored = {
    tables: await itemsIn(scene),
    schedule: await createdSchedule(scheduler),
    read: await readScene(scene),
  };
  await writeFile(file, `${JSON.stringify(stored, null, 2)}\n`, { flag: 'wx' });
  console.log(`Written: ${file}`);
} finally {
  await Promise.all([tables.stop(), scheduler.stop()]);
}
