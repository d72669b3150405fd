import { describe, expect, it } from 'vitest';
import { createPasswordCheck, withPasswords } from '../../../local/console/console-users.ts';
import { SEEDED_USERS } from '../../../local/seeded-run.ts';

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

  it('takes no password after five wrong ones in half a minute', () => {
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
