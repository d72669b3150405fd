import { writeFile } from 'node:fs/promises';
import { bodyExamplesOf, OPERATIONS } from './documented-operations.ts';
import { perform, sceneOf } from './memory-scenes.ts';

/** What the API answers in the scene of each recorded example, by operation and name. */
export const recordExamples = async () => {
  const recordings: Record<string, Record<string, unknown>> = {};
  for (const documented of OPERATIONS) {
    const { operationId, answers } = documented.route;
    const bodies = bodyExamplesOf(documented.operation);
    for (const name of answers.flatMap(({ recorded = {} }) => Object.keys(recorded))) {
      const body = bodies.find((example) => example.name === name) ?? bodies[0];
      const scene = await sceneOf(operationId, name);
      const reply = await perform(documented, scene, body && { body: body.value });
      // Whether the host names of the examples resolve depends on the reader's network.
      const { warnings: _, ...document } = reply.document;
      recordings[operationId] = { ...recordings[operationId], [name]: document };
    }
  }
  return recordings;
};

if (import.meta.main) {
  const text = JSON.stringify(await recordExamples(), undefined, 2);
  await writeFile('lambdas/api/openapi/recorded-examples.json', `${text}\n`);
}
