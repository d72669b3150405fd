import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { assembleLocal, type SeparateRun, startSeparateRun } from './separate-run.ts';

/** A part of a trace, as a function sends it to X-Ray. */
export interface Segment {
  readonly name: string;
  readonly namespace?: string;
  readonly annotations?: Readonly<Record<string, unknown>>;
  readonly aws?: Readonly<Record<string, unknown>>;
}

export interface TracedRun extends SeparateRun {
  /** The datagrams that X-Ray received. */
  readonly sent: readonly string[];
  readonly segments: readonly Segment[];
  /** Stops listening for traces. */
  loseDaemon(): void;
}

/** The trace header that Lambda passes to a function. */
const TRACE_HEADER = 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1';

/** Starts an embedded run of a stage with tracing, and a stand-in for the X-Ray daemon. */
export const startTracedRun = async (stateDirectory: string): Promise<TracedRun> => {
  const daemon = createSocket('udp4');
  const sent: string[] = [];
  daemon.on('message', (message) => sent.push(message.toString()));
  daemon.bind(0, '127.0.0.1');
  await once(daemon, 'listening');
  const separate = await startSeparateRun(
    stateDirectory,
    (directory) => assembleTraced(directory, daemon),
    { onFunctionFailure: (failure) => console.error('A traced function failed:', failure) },
  );
  let listens = true;
  const loseDaemon = (): void => {
    if (listens) daemon.close();
    listens = false;
  };
  return {
    ...separate,
    sent,
    get segments() {
      return sent.map((text): Segment => JSON.parse(text.slice(text.indexOf('\n'))));
    },
    loseDaemon,
    stop: async () => {
      await separate.stop();
      loseDaemon();
    },
  };
};

const assembleTraced = async (directory: string, daemon: Socket): Promise<void> => {
  const file = assembleLocal(directory, { tracing: 'true' });
  const template: Template = JSON.parse(await readFile(file, 'utf8'));
  for (const { Type, Properties } of Object.values(template.Resources)) {
    if (Type !== 'AWS::Lambda::Function') continue;
    Object.assign(Properties.Environment.Variables, {
      AWS_XRAY_DAEMON_ADDRESS: `127.0.0.1:${daemon.address().port}`,
      _X_AMZN_TRACE_ID: TRACE_HEADER,
    });
  }
  await writeFile(file, JSON.stringify(template));
};

interface Template {
  readonly Resources: Readonly<
    Record<
      string,
      {
        readonly Type: string;
        readonly Properties: { readonly Environment: { Variables: Record<string, string> } };
      }
    >
  >;
}
