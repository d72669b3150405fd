import type { Example } from '../runtime/route.ts';

/** Copies of a route's examples: OpenAPI's types need a mutable object for each occurrence. */
export const copiedExamples = (examples: Readonly<Record<string, Example>>) =>
  Object.fromEntries(Object.entries(examples).map(([name, example]) => [name, { ...example }]));
