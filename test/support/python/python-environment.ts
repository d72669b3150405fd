import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeFolder } from 'local-aws/state-folder.ts';

const run = promisify(execFile);

const REQUIREMENTS = fileURLToPath(new URL('requirements.txt', import.meta.url));
const ENVIRONMENTS = fileURLToPath(new URL('../../../.local/python', import.meta.url));

const NAMES = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python'];

/** Fails on a Python that is too old or that cannot make virtual environments. */
const PROBE = 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))';

/** pip makes a wheel itself where a package has none for the system. */
const INSTALL_MS = 600_000;

/** No Python of this machine can make the environment. */
export class PythonIsMissing extends Error {}

/**
 * The folder of the commands of a virtual environment with the tools of requirements.txt: `cfn-lint`,
 * `ministack`, `python`. Makes the environment unless it is there, one for each state of the
 * requirements.
 */
export const pythonTools = async (): Promise<string> => {
  const requirements = await readFile(REQUIREMENTS);
  // The commands hold the path of their environment, so a checkout that has moved needs another one.
  const inputs = createHash('sha256').update(requirements).update(ENVIRONMENTS);
  const environment = `${ENVIRONMENTS}/${inputs.digest('hex').slice(0, 16)}`;
  const tools = `${environment}/bin`;
  const complete = `${environment}/complete`;
  if (await succeeds(access(complete))) return tools;
  await makeFolder(ENVIRONMENTS);
  await run(await findPython(), ['-m', 'venv', '--clear', environment]);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-input'];
  await run(`${tools}/python`, [...pip, '--require-hashes', '--requirement', REQUIREMENTS], {
    timeout: INSTALL_MS,
  });
  await writeFile(complete, '');
  return tools;
};

const findPython = async (): Promise<string> => {
  const names = process.env.PYTHON === undefined ? NAMES : [process.env.PYTHON];
  for (const name of names) if (await succeeds(run(name, ['-c', PROBE]))) return name;
  throw new PythonIsMissing(
    `None of these is a Python 3.11 or later that can make virtual environments: ${names.join(', ')}
Install one (Debian: apt-get install python3 python3-venv), or name one with PYTHON.`,
  );
};

const succeeds = (attempt: Promise<unknown>): Promise<boolean> =>
  attempt.then(
    () => true,
    () => false,
  );
