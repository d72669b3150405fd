import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { startScheduler } from 'local-aws/test/support/scheduler.ts';
import { startTables } from 'local-aws/test/support/tables.ts';
import { presentEventTypes } from '../../../core/event/event-type-resource.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import schemas from './event-schemas.json' with { type: 'json' };
import { readScene } from './read-scene.ts';
import { createdSchedule, SCENE_GROUP } from './scene-schedule.ts';
import { createSceneTables, itemsIn } from './scene-tables.ts';
import { allStackReferences } from './stack-references.ts';
import { writeScene } from './write-scene.ts';

/**
 * `npm run freeze` adds the schemas of event types, and the fixtures of what this version stores and
 * of how its stacks refer to each other, that are not there yet. What is there is never changed.
 */
const write = async (name: string, content: unknown): Promise<void> => {
  const file = fileURLToPath(new URL(name, import.meta.url));
  await writeFile(file, `${JSON.stringify(content, null, 2)}\n`);
  console.log(`Written: ${file}`);
};

const withNewSchemas = (): unknown => {
  const frozen: Record<string, Record<string, unknown>> = { ...schemas };
  for (const { name, version, schema } of presentEventTypes().member) {
    frozen[name] = { [version]: schema, ...frozen[name] };
  }
  return frozen;
};

const writtenScene = async (): Promise<unknown> => {
  const [tables, scheduler] = [await startTables(), await startScheduler()];
  scheduler.schedules.createGroup(SCENE_GROUP);
  try {
    const scene = await createSceneTables(tables);
    await writeScene(scene);
    return {
      tables: await itemsIn(scene),
      schedule: await createdSchedule(scheduler),
      read: await readScene(scene),
    };
  } finally {
    await Promise.all([tables.stop(), scheduler.stop()]);
  }
};

await write('event-schemas.json', withNewSchemas());
const fixtures = { stored: writtenScene, stacks: allStackReferences };
for (const [kind, create] of Object.entries(fixtures)) {
  const fixture = `${kind}-${packageJson.version}.json`;
  if (existsSync(new URL(fixture, import.meta.url))) console.log(`Kept: ${fixture}`);
  else await write(fixture, await create());
}
