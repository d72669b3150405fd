import { readFile, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

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

/** What a client of the AWS SDK is made with for a run. */
export const awsClientConfig = ({ aws, region }: Pick<Endpoints, 'aws' | 'region'>) => ({
  endpoint: aws,
  region,
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
});

export const STATE_DIRECTORY = fileURLToPath(new URL('../.local', import.meta.url));

export const endpointsFile = (stateDirectory = STATE_DIRECTORY): string =>
  `${stateDirectory}/endpoints.json`;

export const endpointsText = (endpoints: Endpoints): string =>
  `${JSON.stringify(endpoints, null, 2)}\n`;

/** undefined when no file describes a run. */
export const readEndpoints = async (file: string): Promise<Endpoints | undefined> => {
  try {
    return endpointsSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return undefined;
  }
};

/** Removes the file of a run that ended without stopping: its AWS endpoint does not answer. */
export const removeStaleEndpoints = async (file: string): Promise<void> => {
  const left = await readEndpoints(file);
  if (left === undefined) return;
  const answers = await fetch(left.aws).then(
    () => true,
    () => false,
  );
  if (!answers) await rm(file, { force: true });
};
