import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, inject, it } from 'vitest';
import type { CheckResult } from '../../admin/checks/check.ts';
import { fireSchedules } from '../support/journey/hours.ts';
import { eventually } from '../support/journey/platform.ts';
import { TEST_TIMEOUT_MS } from '../support/patience.ts';

/** These ask at the host names of AWS, which lead to no emulator. */
const BY_HOST_NAME = new Set(['API', 'docs page', 'unknown path', 'missing token']);

const verify = async (): Promise<readonly CheckResult[]> => {
  const words = ['admin/main.ts', 'stage', 'verify', '--stage', 'local', '--json'];
  // It exits with 1, for the checks that ask at host names.
  const { stdout } = await promisify(execFile)(process.execPath, words).catch(
    (end: { stdout: string }) => end,
  );
  return JSON.parse(stdout).checks;
};

const hasSentCanary = (checks: readonly CheckResult[]): boolean =>
  !checks.some(({ detail }) => detail.endsWith('has no integration'));

it(
  'stage verify finds a new stage in order, and its canary delivered',
  async () => {
    // The only schedule of this group: the hourly ones have a group of their own.
    await fireSchedules(inject('place'), { GroupName: 'default' });
    const checks = await eventually(verify, hasSentCanary);

    const others = checks.filter(({ check }) => !BY_HOST_NAME.has(check));
    expect(checks).toHaveLength(others.length + BY_HOST_NAME.size);
    expect(others.map(({ check, result, detail }) => [check, result === 'ok' || detail])).toEqual([
      ['stacks', true],
      ['event sources', true],
      ['dead letters', true],
      ['retry schedules', true],
      ['alarms', true],
      ['alarm topic', true],
      ['console', 'the stage has no web console'],
      ['sign-in page', 'the stage has no web console'],
      ['canary', true],
    ]);
  },
  TEST_TIMEOUT_MS,
);
