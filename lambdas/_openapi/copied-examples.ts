import type { Example } from '../_runtime/route.ts';

/** Examples of a route as OpenAPI's types want them: each occurrence an object of its own. */
export const copiedExamples = (examples: Readonly<Record<string, Example>>) =>
  Object.fromEntries(Object.entries(examples).map(([name, example]) => [name, { ...example }]));
