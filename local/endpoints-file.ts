import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

/** Addresses, names and tokens of a run on this machine; `aws` and `api` are origins. */
const endpointsSchema = z.object({
  api: z.string(),
  aws: z.url(),
  region: z.string(),
  eventsQueueUrl: z.string(),
  account: z.string(),
  user: z.string(),
  adminToken: z.string(),
  memberToken: z.string(),
  /** Credentials of the role that may create links to the console. */
  platform: z.object({ accessKeyId: z.string(), secretAccessKey: z.string() }).optional(),
  caFile: z.string(),
  certFile: z.string(),
  keyFile: z.string(),
  /** Origin of the playground; only `npm start` has a playground. */
  playground: z.url().optional(),
  /** Origin of the platform whose page shows the console, which only `npm start` has. */
  platformPage: z.url().optional(),
  /** Origin of the web console, which only `npm start` has, and who can sign in there. */
  console: z.url().optional(),
  consoleUsers: z
    .array(
      z.object({
        username: z.string(),
        password: z.string(),
        account: z.string(),
        role: z.enum(['admin', 'member']),
      }),
    )
    .optional(),
});

export type Endpoints = z.infer<typeof endpointsSchema>;

/** Configuration of an AWS SDK client for a run. The embedded run takes any credentials. */
export const awsClientConfig = ({ aws, region }: Pick<Endpoints, 'aws' | 'region'>) => ({
  endpoint: aws,
  region,
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
});

export const STATE_DIRECTORY = fileURLToPath(new URL('../.local', import.meta.url));

export const endpointsFile = (stateDirectory: string): string => `${stateDirectory}/endpoints.json`;

export const endpointsText = (endpoints: Endpoints): string =>
  `${JSON.stringify(endpoints, null, 2)}\n`;

/** undefined when there is no file, or when the file does not describe a run. */
export const readEndpoints = async (file: string): Promise<Endpoints | undefined> => {
  try {
    return endpointsSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return undefined;
  }
};
