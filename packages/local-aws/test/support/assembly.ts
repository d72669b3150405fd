import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalAws, type LocalAwsOptions, startLocalAws } from '../../local-aws.ts';

/** A stack written by hand, in the form in which CDK puts it into a cloud assembly. */
export interface HandWrittenStack {
  resources: Record<string, { Type: string; Properties?: unknown }>;
  outputs?: Record<string, { Value: unknown }>;
  /** Source of an `index.mjs` by asset name. */
  bundles?: Record<string, string>;
}

const asset = (name: string) => ({ S3Bucket: 'assets', S3Key: `${name}.zip` });

/** The ARN of a role of each hand-written stack, which may do everything. */
export const EVERYTHING_ROLE = 'arn:aws:iam::000000000000:role/test-Everything';

const everything = {
  Type: 'AWS::IAM::Role',
  Properties: {
    Policies: [
      { PolicyDocument: { Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] } },
    ],
  },
};

/** A function whose code is the bundle of the same name. */
export const lambda = (name: string, properties: Record<string, unknown> = {}) => ({
  Type: 'AWS::Lambda::Function',
  Properties: {
    FunctionName: name,
    Code: asset(name),
    Handler: 'index.handler',
    Timeout: 5,
    MemorySize: 128,
    Role: EVERYTHING_ROLE,
    ...properties,
  },
});

/** A table whose keys are texts. */
export const tableOf = (
  [partition, sort]: readonly [partition: string, sort: string],
  properties: Record<string, unknown> = {},
) => ({
  Type: 'AWS::DynamoDB::Table',
  Properties: {
    AttributeDefinitions: [
      { AttributeName: partition, AttributeType: 'S' },
      { AttributeName: sort, AttributeType: 'S' },
    ],
    KeySchema: [
      { AttributeName: partition, KeyType: 'HASH' },
      { AttributeName: sort, KeyType: 'RANGE' },
    ],
    BillingMode: 'PAY_PER_REQUEST',
    ...properties,
  },
});

export const writeAssembly = async (directory: string, stack: HandWrittenStack): Promise<void> => {
  const files: Record<string, unknown> = {};
  for (const [name, source] of Object.entries(stack.bundles ?? {})) {
    await mkdir(join(directory, `asset.${name}`), { recursive: true });
    await writeFile(join(directory, `asset.${name}`, 'index.mjs'), source);
    files[name] = {
      source: { path: `asset.${name}`, packaging: 'zip' },
      destinations: { here: { objectKey: `${name}.zip` } },
    };
  }
  await mkdir(directory, { recursive: true });
  const write = (file: string, content: unknown) =>
    writeFile(join(directory, file), JSON.stringify(content));
  await write('test.assets.json', { files });
  await write('test.template.json', {
    Resources: { Everything: everything, ...stack.resources },
    Outputs: stack.outputs ?? {},
  });
  await write('manifest.json', {
    artifacts: {
      test: {
        type: 'aws:cloudformation:stack',
        properties: { templateFile: 'test.template.json' },
      },
      'test.assets': { type: 'cdk:asset-manifest', properties: { file: 'test.assets.json' } },
    },
  });
};

type ReportedFailure = Parameters<LocalAwsOptions['onFunctionFailure']>[0];

export interface TestRun extends LocalAws {
  stateDirectory: string;
  failures: ReportedFailure[];
  /** Resolves with the next failure of a function, also with one that was before. */
  failureOf(functionName: string): Promise<ReportedFailure>;
}

/** Runs a hand-written stack on free ports; `stop` also removes its state directory. */
export const startTestRun = async (
  stack: HandWrittenStack,
  options: Pick<LocalAwsOptions, 'apiCallers' | 'interceptAws' | 'secureVariables'> = {},
): Promise<TestRun> => {
  const stateDirectory = await mkdtemp(join(tmpdir(), 'embedded-run-'));
  const failures: ReportedFailure[] = [];
  const watchers = new Set<() => void>();
  const run = await startLocalAws(
    {
      ...options,
      apiPort: 0,
      awsPort: 0,
      stateDirectory,
      hourSeconds: 3_600,
      onFunctionFailure: (failure) => {
        failures.push(failure);
        for (const look of watchers) look();
      },
    },
    (directory) => writeAssembly(directory, stack),
  );
  return {
    ...run,
    stateDirectory,
    failures,
    failureOf: (functionName) =>
      new Promise((resolve) => {
        const look = () => {
          const failure = failures.find((candidate) => candidate.functionName === functionName);
          if (!failure) return;
          watchers.delete(look);
          failures.splice(failures.indexOf(failure), 1);
          resolve(failure);
        };
        watchers.add(look);
        look();
      }),
    stop: async () => {
      await run.stop();
      await rm(stateDirectory, { recursive: true });
    },
  };
};
