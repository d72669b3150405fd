import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Assemble, LocalAwsOptions } from 'local-aws/local-aws.ts';
import { addStage, createApp } from '../../../lib/app.ts';
import type { GivenOptions } from '../../../lib/deployment-options.ts';
import type { StageSettings } from '../../../lib/stage-settings.ts';
import { settingsFor } from '../../../lib/stages.ts';
import { type SeededRun, startSeededRun } from '../../../local/seeded-run.ts';
import { MisbehavingReceiver } from '../receiver/misbehaving-receiver.ts';
import { type Customer, newCustomerOf } from './customer-of.ts';
import { createDocumentedAnswers } from './documented-answers.ts';
import { type Hours, hoursOf } from './hours.ts';
import { createNoteSecrets } from './secrets-used.ts';
import { HOUR_SECONDS } from './service-under-test.ts';
import { type StoredState, storedStateOf } from './stored-state.ts';

/** An embedded run of one test file, with a receiver whose certificate it trusts. */
export interface SeparateRun {
  readonly run: SeededRun;
  readonly receiver: MisbehavingReceiver;
  readonly state: StoredState;
  readonly hours: Hours;
  newCustomer(): Promise<Customer>;
  stop(): Promise<void>;
}

type Settings = Pick<StageSettings, 'maximumConcurrency' | 'reservesConcurrency' | 'throttling'>;

type Options = Pick<LocalAwsOptions, 'interceptAws' | 'onFunctionFailure' | 'secureVariables'> &
  Partial<Pick<LocalAwsOptions, 'hourSeconds'>>;

export const startSeparateRun = async (
  stateDirectory: string,
  assemble: Assemble,
  options: Options,
): Promise<SeparateRun> => {
  const ports = { apiPort: 0, awsPort: 0 };
  const settings = { ...ports, stateDirectory, hourSeconds: HOUR_SECONDS, ...options };
  const run = await startSeededRun(settings, assemble);
  const { endpoints, outputs } = run;
  const { api, certFile, keyFile } = endpoints;
  const [cert, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')]);
  const receiver = await MisbehavingReceiver.start({ cert, key });
  const observers = {
    checkAnswer: createDocumentedAnswers(api),
    noteSecrets: createNoteSecrets(stateDirectory),
  };
  return {
    run,
    receiver,
    state: storedStateOf(endpoints, Promise.resolve(outputs)),
    hours: hoursOf(endpoints, Promise.resolve(outputs)),
    newCustomer: () => newCustomerOf(endpoints, outputs.DirectoryTableName ?? '', observers),
    stop: async () => {
      await run.stop();
      await receiver.close();
    },
  };
};

/** Makes the cloud assembly of stage `local` with options. Returns the file of its functions. */
export const assembleLocal = (
  directory: string,
  options: GivenOptions,
  changed: Partial<Settings> = {},
): string => {
  const settings = settingsFor('local', options);
  if (!settings) throw new Error('There is no stage local.');
  const app = createApp({ outdir: directory, builtinCloudFormationValidation: false });
  const { service } = addStage(app, { ...settings, ...changed });
  app.synth();
  return join(directory, service.templateFile);
};

/** Takes the cloud assembly that another run has made. */
export const assembledIn =
  (stateDirectory: string): Assemble =>
  (directory) =>
    cp(join(stateDirectory, 'cdk.out'), directory, { recursive: true });
