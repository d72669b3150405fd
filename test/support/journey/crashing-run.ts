import type { AwsRequest } from 'local-aws/aws/aws-request.ts';
import { assembledIn, type SeparateRun, startSeparateRun } from './separate-run.ts';
import { setVisibility } from './service-under-test.ts';

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

export interface CrashingRun extends SeparateRun {
  /** Crashes the function at the next request that contains all parts of the point. */
  crashAt(point: CrashPoint): Crash;
}

/** Messages of a dead function are visible again after this time, instead of after minutes. */
const VISIBILITY_SECONDS = 3;

/** Starts a separate run whose functions may crash, from the assembly of another run. */
export const startCrashingRun = async (otherDirectory: string): Promise<CrashingRun> => {
  const points = new Set<CrashPoint & { readonly crashed: () => void }>();
  const separate = await startSeparateRun(
    `${otherDirectory}-crashing`,
    assembledIn(otherDirectory),
    {
      onFunctionFailure: () => {},
      interceptAws: async (request, answer) => {
        for (const point of [...points]) {
          if (!isAt(point, request)) continue;
          points.delete(point);
          // No instance crashed: the caller's name only contains that of the function.
          if ((await separate.run.crash(point.functionName)) > 0) point.crashed();
          else points.add(point);
        }
        return answer();
      },
    },
  );
  await setVisibility(separate.run, VISIBILITY_SECONDS);
  return {
    ...separate,
    crashAt: (point) => {
      const { promise: happened, resolve: crashed } = Promise.withResolvers<void>();
      const armed = { ...point, crashed };
      points.add(armed);
      return { happened, isToCome: () => points.has(armed) };
    },
  };
};

/** The access key of a function's credentials is its name. */
const isAt = (point: CrashPoint, { method, path, headers, body }: AwsRequest): boolean => {
  const text = `${method} ${path} ${headers['x-amz-target']} ${body}`;
  return (
    headers.authorization?.includes(point.functionName) === true &&
    point.request.every((part) => text.includes(part))
  );
};
