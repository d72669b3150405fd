import { describe, expect, it } from 'vitest';
import { createProviderMemory } from '../../../local/console/provider-memory.ts';

describe('the memory of the OpenID provider', () => {
  it('keeps each model’s items apart, until they expire', async () => {
    let now = 0;
    const memory = createProviderMemory(() => now);
    await memory('Session').upsert('1', { uid: 'u' }, 60);
    await memory('Grant').upsert('1', { accountId: 'ada' }, 120);

    now = 59_999;
    expect(await memory('Session').find('1')).toEqual({ uid: 'u' });
    expect(await memory('Session').findByUid('u')).toEqual({ uid: 'u' });
    now = 60_000;
    expect(await memory('Session').find('1')).toBeUndefined();
    expect(await memory('Session').findByUid('u')).toBeUndefined();
    expect(await memory('Grant').find('1')).toEqual({ accountId: 'ada' });
  });

  it('marks what was used, and forgets what is destroyed', async () => {
    const codes = createProviderMemory(() => 5_000)('AuthorizationCode');
    await codes.upsert('1', { clientId: 'console' }, 60);

    await codes.consume('1');
    expect(await codes.find('1')).toEqual({ clientId: 'console', consumed: 5 });
    await codes.destroy('1');
    expect(await codes.find('1')).toBeUndefined();
  });

  it('forgets what came of a grant, and nothing else', async () => {
    const tokens = createProviderMemory()('RefreshToken');
    await tokens.upsert('1', { grantId: 'a' }, 60);
    await tokens.upsert('2', { grantId: 'b' }, 60);

    await tokens.revokeByGrantId('a');
    expect(await tokens.find('1')).toBeUndefined();
    expect(await tokens.find('2')).toEqual({ grantId: 'b' });
  });
});
