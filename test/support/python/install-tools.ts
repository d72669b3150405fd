import { PythonIsMissing, pythonTools } from './python-environment.ts';

/** The exit code when nothing is wrong but that the machine has no Python that is new enough. */
const PYTHON_IS_MISSING = 3;

// Installs the tools that are written in Python, and prints the folder of their commands.
try {
  console.log(await pythonTools());
} catch (fault) {
  console.error(fault instanceof Error ? fault.message : fault);
  process.exitCode = fault instanceof PythonIsMissing ? PYTHON_IS_MISSING : 1;
}
