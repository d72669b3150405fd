import { writeFile } from 'node:fs/promises';
import { presentEventTypes } from '../../../core/event/event-type-resource.ts';
import frozen from './event-schemas.json' with { type: 'json' };

/**
 * `npm run freeze:events` adds the schema of each version of an event
 * type that is not there yet. A schema that is there is never changed.
 */
const schemas: Record<string, Record<string, unknown>> = frozen;
for (const { name, version, schema } of presentEventTypes().member) {
  schemas[name] = { [version]: schema, ...schemas[name] };
}
const file = new URL('event-schemas.json', import.meta.url);
await writeFile(file, `${JSON.stringify(schemas, null, 2)}\n`);
