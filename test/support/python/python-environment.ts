import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, readFile, rm, symlink } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeFolder } from '../../../local/state-folder.ts';

const run = promisify(execFile);

const REQUIREMENTS = fileURLToPath(new URL('requirements.txt', import.meta.url));
const ENVIRONMENTS = fileURLToPath(new URL('../../../.local/python', import.meta.url));

const OLDEST = [3, 11] as const;
const NAMES = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python'];

/** Prints the version, of a Python that can make virtual environments. */
const PROBE = 'import ensurepip, sys, venv; print(*sys.version_info[:2])';

/** pip makes a wheel itself where a package has none for the system. */
const INSTALL_MS = 600_000;

/** No Python of this machine can make the environment. */
export class PythonIsMissing extends Error {}

/**
 * The folder of the commands of a virtual environment with the tools of requirements.txt: `cfn-lint`,
 * `ministack`, `python`. Makes the environment unless it is there, one for each state of the
 * requirements. Two that make it at once do not disturb each other: each fills a folder of its own,
 * and a link leads to the first one that is complete.
 */
export const pythonTools = async (): Promise<string> => {
  const requirements = await readFile(REQUIREMENTS);
  // The commands hold the path of their environment, so a checkout that has moved needs another one.
  const inputs = createHash('sha256').update(requirements).update(ENVIRONMENTS);
  const hash = inputs.digest('hex').slice(0, 16);
  const environment = `${ENVIRONMENTS}/${hash}`;
  const tools = `${environment}/bin`;
  if (await exists(tools)) return tools;
  await makeFolder(ENVIRONMENTS);
  const own = `${environment}-${process.pid}`;
  try {
    await rm(own, { recursive: true, force: true });
    await install(await findPython(chosenNames()), own);
    await symlink(own, environment);
  } catch (fault) {
    await rm(own, { recursive: true, force: true });
    if (!(await exists(tools))) throw fault;
  }
  return tools;
};

const install = async (python: string, environment: string): Promise<void> => {
  await run(python, ['-m', 'venv', environment]);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-input'];
  await run(
    `${environment}/bin/python`,
    [...pip, '--require-hashes', '--requirement', REQUIREMENTS],
    { timeout: INSTALL_MS },
  );
};

const chosenNames = (): readonly string[] =>
  process.env.PYTHON === undefined ? NAMES : [process.env.PYTHON];

/** The first Python that is new enough. Throws what each of the names lacks. */
export const findPython = async (names: readonly string[]): Promise<string> => {
  const seen: string[] = [];
  for (const name of names) {
    const verdict = await probe(name);
    if (verdict === undefined) return name;
    seen.push(`  ${name}: ${verdict}`);
  }
  throw new PythonIsMissing(
    [
      `There is no Python ${OLDEST.join('.')} or later that can make a virtual environment.`,
      ...seen,
      'Install one (Debian: apt-get install python3 python3-venv), or name one with PYTHON.',
    ].join('\n'),
  );
};

/** What a Python lacks; undefined when it lacks nothing. */
const probe = async (name: string): Promise<string | undefined> => {
  try {
    const { stdout } = await run(name, ['-c', PROBE]);
    const [major = 0, minor = 0] = stdout.trim().split(' ').map(Number);
    const newEnough = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
    return newEnough ? undefined : `is ${major}.${minor}`;
  } catch (fault) {
    if (!(fault instanceof Error)) throw fault;
    if ('code' in fault && fault.code === 'ENOENT') return 'not found';
    const stderr = 'stderr' in fault ? String(fault.stderr) : fault.message;
    return stderr.trim().split('\n').at(-1) ?? fault.message;
  }
};

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
