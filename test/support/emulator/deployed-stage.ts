import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Certificates } from 'local-aws/certificates.ts';
import { readStack } from '../../../adapters/cloudformation/stacks.ts';
import { administrationPorts } from '../../../adapters/dynamodb/directory/administration-ports.ts';
import { buildAdministration } from '../../../core/directory/administration.ts';
import type { Endpoints } from '../../../local/endpoints-file.ts';
import { seed } from '../../../local/seeded-run.ts';
import { awsClientConfigOf } from '../journey/platform-of.ts';

export type Outputs = Readonly<Record<string, string>>;

type Place = Pick<Endpoints, 'aws' | 'region'>;

/** The outputs of both stacks of a stage. */
export const outputsOf = async (place: Place, stage: string): Promise<Outputs> => {
  const client = new CloudFormationClient(awsClientConfigOf(place));
  const stacks = [`integrations-${stage}-state`, `integrations-${stage}-service`];
  const read = await Promise.all(stacks.map((stack) => readStack(client, stack)));
  return Object.assign({}, ...read.map((stack) => stack?.outputs));
};

/** The same path at an emulator, which does not own the name that AWS gives an API. */
export const apiAt = (aws: string, apiUrl: string): string => {
  const { hostname, pathname } = new URL(apiUrl);
  return `${aws}/_aws/execute-api/${hostname.split('.')[0]}${pathname}`;
};

/** Describes a deployed stage as `npm start` describes its run, with a customer made for it. */
export const describeStage = async (
  place: Place,
  stage: string,
  { caFile, certFile, keyFile }: Certificates,
): Promise<Endpoints> => {
  const outputs = await outputsOf(place, stage);
  const { ApiUrl = '', DirectoryTableName = '', EventsQueueUrl = '' } = outputs;
  const directory = new DynamoDBClient(awsClientConfigOf(place));
  const administration = buildAdministration(administrationPorts(directory, DirectoryTableName));
  return {
    ...place,
    api: apiAt(place.aws, ApiUrl),
    eventsQueueUrl: EventsQueueUrl,
    ...(await seed(administration, undefined)),
    caFile,
    certFile,
    keyFile,
  };
};
