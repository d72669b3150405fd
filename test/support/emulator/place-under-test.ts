import { readFile } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import type { Endpoints } from '../../../local/endpoints-file.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The emulator that stands for AWS. */
    place: Pick<Endpoints, 'aws' | 'region'>;
  }
}

/** Reads from the environment, which main.ts sets: the address, and the stage once it is deployed. */
export const setup = async (project: TestProject): Promise<void> => {
  const { AWS_ENDPOINT_URL: aws = '', AWS_REGION: region = '', SERVICE_ENDPOINTS } = process.env;
  project.provide('place', { aws, region });
  project.provide('stateDirectory', undefined);
  if (SERVICE_ENDPOINTS !== undefined) {
    project.provide('service', JSON.parse(await readFile(SERVICE_ENDPOINTS, 'utf8')));
  }
};
