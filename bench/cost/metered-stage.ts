import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Assemble } from 'local-aws/local-aws.ts';
import { assembleStage, ON_LOOPBACK, type TemplateResource } from '../stage-assembly.ts';
import { sum } from './item-size.ts';

/** A directory of its own, because the functions' code is changed in it. */
export const METERED_DIRECTORY = '.local/bench-cost';

/**
 * Assembles stage prod for an embedded run on loopback. Each function writes a line about each
 * invocation to its log. Few batches run at once, because an endpoint counts as slow when this machine
 * is too busy. Batches of deliveries run one at a time, so that deliveries queue up and batches are
 * full.
 */
export const assembleMetered: Assemble = async (directory) => {
  // CDK keeps the bundles that it finds, and an earlier run changed them.
  await rm(directory, { recursive: true, force: true });
  assembleStage('prod', directory);
  const files = await readdir(directory);
  await Promise.all(
    files
      .filter((file) => file.endsWith('.template.json'))
      .map((file) => changeTemplate(join(directory, file))),
  );
  await Promise.all(
    files
      .filter((file) => file.startsWith('asset.'))
      .map((asset) => measureInvocations(join(directory, asset))),
  );
};

/** Long enough for the attempts of full batches, and shorter than the minute of prod. */
const COUNTING_WINDOW_S = 5;

interface Changed extends TemplateResource {
  readonly Properties: {
    Environment?: { Variables: Record<string, string> };
    ScalingConfig?: { MaximumConcurrency: number };
    MaximumBatchingWindowInSeconds?: number;
    MethodSettings?: unknown;
  };
}

const changeTemplate = async (file: string): Promise<void> => {
  const template: { Resources: Record<string, Changed> } = JSON.parse(await readFile(file, 'utf8'));
  for (const { Type, Properties } of Object.values(template.Resources)) {
    const variables = Properties?.Environment?.Variables;
    if (Type === 'AWS::Lambda::Function' && variables) {
      const changes = Object.entries(ON_LOOPBACK).filter(([name]) => name in variables);
      Object.assign(variables, Object.fromEntries(changes));
    }
    // The bench registers a hundred webhooks at once.
    if (Type === 'AWS::ApiGateway::Stage') Properties.MethodSettings = [];
    if (Type === 'AWS::Lambda::EventSourceMapping' && !Properties.ScalingConfig) {
      Properties.MaximumBatchingWindowInSeconds = COUNTING_WINDOW_S;
    } else if (Type === 'AWS::Lambda::EventSourceMapping') {
      const isOfDeliveries = JSON.stringify(Properties).includes('DeliverWebhook');
      Properties.ScalingConfig = { MaximumConcurrency: isOfDeliveries ? 1 : 2 };
    }
  }
  await writeFile(file, JSON.stringify(template));
};

/** An invocation of a consumer, from its log. */
interface Invocation {
  readonly invocationOf: string;
  readonly records: number;
  /** Bodies and attributes of the records' messages; 0 for a stream's records. */
  readonly bytes: number;
  /** CPU time of the function's thread. */
  readonly cpuMs: number;
}

const WRAPPER = `
import { handler as measured } from './measured.mjs';

const bytesOf = ({ body = '', messageAttributes = {} }) =>
  Object.entries(messageAttributes).reduce(
    (bytes, [name, { dataType, stringValue = '' }]) =>
      bytes + Buffer.byteLength(name + dataType + stringValue),
    Buffer.byteLength(body),
  );

export const handler = async (event, context) => {
  const cpuBefore = process.threadCpuUsage();
  try {
    return await measured(event, context);
  } finally {
    const { user, system } = process.threadCpuUsage(cpuBefore);
    const cpuMs = (user + system) / 1_000;
    const { Records } = event;
    if (Records) {
      const bytes = Records.reduce((sum, record) => sum + bytesOf(record), 0);
      const invocationOf = process.env.POWERTOOLS_SERVICE_NAME;
      console.log(JSON.stringify({ invocationOf, records: Records.length, bytes, cpuMs }));
    }
  }
};
`;

const measureInvocations = async (asset: string): Promise<void> => {
  const bundle = join(asset, 'index.mjs');
  await rename(bundle, join(asset, 'measured.mjs'));
  await writeFile(bundle, WRAPPER);
};

/** The invocations of a function, and its log. */
export interface FunctionLog {
  readonly name: string;
  readonly invocations: readonly Invocation[];
  /** Of the function's own lines. */
  readonly bytes: number;
}

const DIRECTORY = join(METERED_DIRECTORY, 'logs');

/** Returns a function that reads the log lines since now. */
export const watchLogs = async (): Promise<() => Promise<readonly FunctionLog[]>> => {
  const before = new Map((await readLogs()).map(({ file, text }) => [file, text.length]));
  return async () =>
    (await readLogs()).flatMap(({ file, text }) => {
      const lines = text.slice(before.get(file) ?? 0).split('\n');
      const isInvocation = (line: string) => line.startsWith('{"invocationOf":');
      const invocations: Invocation[] = lines.filter(isInvocation).map((line) => JSON.parse(line));
      const [first] = invocations;
      const own = lines.filter((line) => line !== '' && !isInvocation(line));
      const bytes = sum(own.map((line) => Buffer.byteLength(line)));
      return first ? [{ name: first.invocationOf, invocations, bytes }] : [];
    });
};

const readLogs = async () => {
  const files = await readdir(DIRECTORY);
  return Promise.all(
    files.map(async (file) => ({ file, text: await readFile(join(DIRECTORY, file), 'utf8') })),
  );
};
