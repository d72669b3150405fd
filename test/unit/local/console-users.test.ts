import { describe, expect, it } from 'vitest';
import { createPasswordCheck, withPasswords } from '../../../local/console/console-users.ts';
import { createProviderMemory } from '../../../local/console/provider-memory.ts';
import { SEEDED_USERS } from '../../../local/seed.ts';

describe('the users of the console', () => {
  it('get passwords that can be read out, another at each start', () => {
    const starts = [1, 2].flatMap(() => withPasswords(SEEDED_USERS, undefined));
    const passwords = starts.map(({ password }) => password);

    for (const password of passwords) expect(password).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){2}$/);
    expect(new Set(passwords).size).toBe(passwords.length);
  });

  it('get the password that was asked for', () => {
    const passwords = withPasswords(SEEDED_USERS, 'mine').map(({ password }) => password);

    expect(passwords).toEqual(['mine', 'mine']);
  });
});

describe('the check of passwords', () => {
  const users = withPasswords(SEEDED_USERS, 'right');
  const [ada] = users;

  it('lets only the right password of a user pass', () => {
    const check = createPasswordCheck(users);

    expect(check('ada', 'right')).toBe(ada);
    expect(check('ada', 'righ')).toBe('wrong');
    expect(check('Ada', 'right')).toBe('wrong');
    expect(check('', '')).toBe('wrong');
  });

  it('takes no password after five wrong ones, until the first is half a minute old', () => {
    let now = 0;
    const check = createPasswordCheck(users, () => now);
    for (const at of [0, 1_000, 2_000, 3_000, 4_000]) {
      now = at;
      expect(check('bob', 'guess')).toBe('wrong');
    }

    expect(check('ada', 'right')).toBe('too many');
    now = 29_999;
    expect(check('ada', 'right')).toBe('too many');
    now = 30_000;
    expect(check('ada', 'right')).toBe(ada);
  });
});

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

  it('marks used items, and forgets destroyed items', async () => {
    const codes = createProviderMemory(() => 5_000)('AuthorizationCode');
    await codes.upsert('1', { clientId: 'console' }, 60);

    await codes.consume('1');
    expect(await codes.find('1')).toEqual({ clientId: 'console', consumed: 5 });
    await codes.destroy('1');
    expect(await codes.find('1')).toBeUndefined();
  });

  it('forgets the items of a revoked grant, and nothing else', async () => {
    const tokens = createProviderMemory()('RefreshToken');
    await tokens.upsert('1', { grantId: 'a' }, 60);
    await tokens.upsert('2', { grantId: 'b' }, 60);

    await tokens.revokeByGrantId('a');
    expect(await tokens.find('1')).toBeUndefined();
    expect(await tokens.find('2')).toEqual({ grantId: 'b' });
  });
});
