import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AwsRequest } from '../../../local/aws/aws-request.ts';
import { type SeededRun, startSeededRun } from '../../../local/seeded-run.ts';
import { MisbehavingReceiver } from '../receiver/misbehaving-receiver.ts';
import { type Customer, newCustomerOf } from './customer-of.ts';
import { createDocumentedAnswers } from './documented-answers.ts';
import { type KeptState, keptStateOf } from './kept-state.ts';
import { setVisibility } from './queue-visibility.ts';
import { createNoteSecrets } from './secrets-used.ts';
import { HOUR_SECONDS } from './service-under-test.ts';

/** Where a function dies: during one of its requests to AWS, which still takes effect. */
export interface CrashPoint {
  /** A part of the function's name. */
  readonly functionName: string;
  /** Parts of one request to AWS: method, path, target and body. */
  readonly request: readonly string[];
}

interface Crash {
  /** Resolves when the function has died at the point. */
  readonly happened: Promise<void>;
  /** False as soon as the function begins to die. */
  isToCome(): boolean;
}

export interface CrashingRun {
  readonly run: SeededRun;
  readonly state: KeptState;
  newCustomer(): Promise<Customer>;
  readonly receiver: MisbehavingReceiver;
  /** Crashes the function at the next request that contains all parts of the point. */
  crashAt(point: CrashPoint): Crash;
  stop(): Promise<void>;
}

/** Messages of a dead function are visible again after this time, instead of after minutes. */
const VISIBILITY_SECONDS = 3;

/** Starts a separate embedded run whose functions may crash, from the assembly of another run. */
export const startCrashingRun = async (assembledIn: string): Promise<CrashingRun> => {
  const points = new Set<CrashPoint & { readonly crashed: () => void }>();
  const stateDirectory = `${assembledIn}-crashing`;
  const run = await startSeededRun(
    {
      apiPort: 0,
      awsPort: 0,
      stateDirectory,
      hourSeconds: HOUR_SECONDS,
      onFunctionFailure: () => {},
      interceptAws: async (request, answer) => {
        for (const point of [...points]) {
          if (!isAt(point, request)) continue;
          points.delete(point);
          // No instance crashed: the request was another function's.
          if ((await run.crash(point.functionName)) > 0) point.crashed();
          else points.add(point);
        }
        return answer();
      },
    },
    (directory) => cp(join(assembledIn, 'cdk.out'), directory, { recursive: true }),
  );
  await setVisibility(run, VISIBILITY_SECONDS);
  const { certFile, keyFile } = run.endpoints;
  const [cert, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')]);
  const receiver = await MisbehavingReceiver.start({ cert, key });
  return {
    run,
    state: keptStateOf(run.endpoints, Promise.resolve(run.outputs)),
    newCustomer: () =>
      newCustomerOf(run.endpoints, run.outputs.DirectoryTableName ?? '', {
        checkAnswer: createDocumentedAnswers(run.endpoints.api),
        noteSecrets: createNoteSecrets(stateDirectory),
      }),
    receiver,
    crashAt: (point) => {
      const { promise: happened, resolve: crashed } = Promise.withResolvers<void>();
      const armed = { ...point, crashed };
      points.add(armed);
      return { happened, isToCome: () => points.has(armed) };
    },
    stop: async () => {
      await run.stop();
      await receiver.close();
    },
  };
};

const isAt = ({ request: parts }: CrashPoint, { method, path, headers, body }: AwsRequest) => {
  const text = `${method} ${path} ${headers['x-amz-target']} ${body}`;
  return parts.every((part) => text.includes(part));
};
