import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { administrationPorts } from '../adapters/dynamodb/administration-ports.ts';
import { SqsEventsQueue } from '../adapters/sqs/sqs-operator-queues.ts';
import { buildAdministration } from '../core/directory/administration.ts';
import {
  type Assemble,
  type EmbeddedRun,
  type EmbeddedRunOptions,
  startEmbeddedRun,
} from './embedded-run.ts';
import { awsClientConfig, type Endpoints } from './endpoints-file.ts';
import { type Seeded, seed } from './seed.ts';

/** An embedded run with a customer. */
export interface SeededRun extends Pick<EmbeddedRun, 'crash' | 'outputs' | 'stop'> {
  readonly endpoints: Endpoints;
  readonly customer: Seeded;
  readonly events: SqsEventsQueue;
}

export const startSeededRun = async (
  options: EmbeddedRunOptions,
  assemble?: Assemble,
): Promise<SeededRun> => {
  const run = await startEmbeddedRun(options, assemble);
  try {
    return await seeded(run, options.console?.signIn.issuer);
  } catch (fault) {
    await run.stop();
    throw fault;
  }
};

const seeded = async (run: EmbeddedRun, issuer: string | undefined): Promise<SeededRun> => {
  const { api, aws, certificates, crash, outputs, region, stop } = run;
  const clientConfig = awsClientConfig(run);
  const eventsQueueUrl = output(run, 'EventsQueueUrl');
  const customer = await seed(
    buildAdministration(
      administrationPorts(new DynamoDBClient(clientConfig), output(run, 'DirectoryTableName')),
    ),
    issuer,
  );
  return {
    endpoints: { api, aws, region, eventsQueueUrl, ...customer, ...certificates },
    customer,
    events: new SqsEventsQueue(new SQSClient(clientConfig), eventsQueueUrl),
    outputs,
    crash,
    stop,
  };
};

const output = ({ outputs }: EmbeddedRun, key: string): string => {
  const value = outputs[key];
  if (value === undefined) throw new Error(`No stack has an output ${key}.`);
  return value;
};
