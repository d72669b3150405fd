import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A deployment takes half a minute on a machine that has nothing else to do. */
export const DEPLOYMENT_MS = 600_000;

export interface CommandEnd {
  readonly code: number;
  /** Standard output and standard error. */
  readonly output: string;
}

/** Runs a command of the CDK. The environment names the place to deploy to. */
export const cdk = async (
  words: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<CommandEnd> => {
  try {
    const { stdout, stderr } = await run('npx', ['cdk', ...words], {
      timeout: DEPLOYMENT_MS,
      maxBuffer: 64 * 1_024 * 1_024,
      env: { ...process.env, ...environment },
    });
    return { code: 0, output: stdout + stderr };
  } catch (fault) {
    if (!(fault instanceof Error && 'stdout' in fault && 'stderr' in fault)) throw fault;
    const output = `${fault.stdout}${fault.stderr}`;
    const isEnd = 'code' in fault && typeof fault.code === 'number';
    if (isEnd) return { code: Number(fault.code), output };
    throw new Error(`cdk ${words.join(' ')} did not end: ${fault.message}\n${output}`);
  }
};

/** The words that choose options of a deployment. */
export const context = (options: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

/** The stage that the journeys use. MiniStack confirms the subscription of an e-mail address itself. */
export const LOCAL_STAGE = context({
  stage: 'local',
  canary: true,
  alarmEmail: 'alarms@example.com',
});

const python = async <Answer>(script: string, ...words: readonly string[]): Promise<Answer> => {
  const file = `test/support/emulator/${script}.py`;
  const { stdout } = await run(process.env.TOOLS_PYTHON ?? 'python3', [file, ...words], {
    maxBuffer: 64 * 1_024 * 1_024,
  });
  return JSON.parse(stdout);
};

type Resources = Readonly<Record<string, readonly string[]>>;

/** Names of the resources of a stage, by kind. Kinds without a resource are left out. */
export const resourcesOf = async (stage: string): Promise<Resources> => {
  const all = Object.entries(await python<Resources>('list-resources')).map(
    ([kind, names]) =>
      [kind, names.filter((name) => name.includes(`integrations-${stage}`))] as const,
  );
  return Object.fromEntries(all.filter(([, names]) => names.length > 0));
};

/** The log lines of a stage about calls that IAM denied, and the number of all its log lines. */
export const deniedCalls = (stage: string): Promise<{ lines: number; denied: readonly string[] }> =>
  python('find-denied-calls', stage);
