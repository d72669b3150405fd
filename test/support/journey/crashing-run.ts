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

/** In what a function dies: while one of its requests to AWS is made, and takes effect. */
export interface CrashPoint {
  /** A part of the function's name. */
  readonly functionName: string;
  /** Parts of one request to AWS: method, path, target and body. */
  readonly request: readonly string[];
}

interface Crash {
  /** Resolves when the function died there. */
  readonly happened: Promise<void>;
  /** Not any more once the function begins to die. */
  isToCome(): boolean;
}

export interface CrashingRun {
  readonly run: SeededRun;
  readonly state: KeptState;
  newCustomer(): Promise<Customer>;
  readonly receiver: MisbehavingReceiver;
  /** At the next request that has all of the point's parts. */
  crashAt(point: CrashPoint): Crash;
  stop(): Promise<void>;
}

/** What a dead function worked on comes back after this, instead of after minutes. */
const VISIBILITY_SECONDS = 3;

/** An embedded run of its own, for what is done to it. Runs the assembly of another one. */
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
          // None: it was another function's request.
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
