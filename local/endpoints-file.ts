import { readFile, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { writeForOwner } from './owner-file.ts';

/** Where a run on this machine is reached and who may call it. */
const endpointsSchema = z.object({
  api: z.string(),
  aws: z.url(),
  region: z.string(),
  eventsQueueUrl: z.string(),
  account: z.string(),
  user: z.string(),
  adminToken: z.string(),
  memberToken: z.string(),
  caFile: z.string(),
  certFile: z.string(),
  keyFile: z.string(),
  /** Origin of the playground, which only `npm start` has. */
  playground: z.url().optional(),
});

export type Endpoints = z.infer<typeof endpointsSchema>;

export const STATE_DIRECTORY = fileURLToPath(new URL('../.local', import.meta.url));

export const endpointsFile = (stateDirectory = STATE_DIRECTORY): string =>
  `${stateDirectory}/endpoints.json`;

export const writeEndpoints = (file: string, endpoints: Endpoints): Promise<void> =>
  writeForOwner(file, `${JSON.stringify(endpoints, null, 2)}\n`);

/** undefined when there is no file, or one that does not describe a run. */
export const readEndpoints = async (file: string): Promise<Endpoints | undefined> => {
  try {
    return endpointsSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return undefined;
  }
};

/** Removes what a run left that ended without stopping: nothing answers where it says. */
export const removeStaleEndpoints = async (file: string): Promise<void> => {
  const left = await readEndpoints(file);
  if (left === undefined) return;
  const answers = await fetch(left.aws).then(
    () => true,
    () => false,
  );
  if (!answers) await removeEndpoints(file, left);
};

/** Leaves the file alone when a later run has written its own. */
export const removeEndpoints = async (file: string, { adminToken }: Endpoints): Promise<void> => {
  if ((await readEndpoints(file))?.adminToken === adminToken) await rm(file, { force: true });
};
