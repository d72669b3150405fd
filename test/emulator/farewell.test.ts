import { describe, expect, it } from 'vitest';
import { cdk, DEPLOYMENT_MS, deniedCalls, resourcesOf } from '../support/emulator/commands.ts';

describe('A stage that has worked, with integrations in trouble', () => {
  it('made no call that its roles do not allow', async () => {
    const { lines, denied } = await deniedCalls('local');

    expect(denied.join('\n')).toBe('');
    expect(lines).toBeGreaterThan(100);
  });

  it('leaves nothing behind when it is destroyed', { timeout: DEPLOYMENT_MS }, async () => {
    const { code, output } = await cdk(['destroy', '--all', '--force', '-c', 'stage=local']);

    expect(code, output).toBe(0);
    expect(await resourcesOf('local')).toEqual({});
  });
});
