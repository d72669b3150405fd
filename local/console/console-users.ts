import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import type { SeededUser } from '../seeded-run.ts';

export interface ConsoleUser extends SeededUser {
  readonly password: string;
}

/** Gives each user a password: the given password, or a random one. */
export const withPasswords = (
  users: readonly SeededUser[],
  password: string | undefined,
): readonly ConsoleUser[] =>
  users.map((user) => ({ ...user, password: password ?? newPassword() }));

/** Without characters that look like others. Twelve of these make 59 bits. */
const READABLE = 'abcdefghjkmnpqrstuvwxyz23456789';

const newPassword = (): string =>
  Array.from({ length: 3 }, () =>
    Array.from({ length: 4 }, () => READABLE[randomInt(READABLE.length)]).join(''),
  ).join('-');

const FAILURES_ALLOWED = 5;
const REMEMBERED_MS = 30_000;

export type SignInAttempt = ConsoleUser | 'wrong' | 'too many';

/** Checks passwords in equal time, and none for a while after five wrong ones in 30 s. */
export const createPasswordCheck = (users: readonly ConsoleUser[], nowMs = Date.now) => {
  let failures: readonly number[] = [];
  return (username: string, password: string): SignInAttempt => {
    const now = nowMs();
    failures = failures.filter((at) => at > now - REMEMBERED_MS);
    if (failures.length >= FAILURES_ALLOWED) return 'too many';
    const user = users.find((candidate) => candidate.username === username);
    const isRight = timingSafeEqual(digest(password), digest(user?.password ?? ''));
    if (user && isRight) return user;
    failures = [...failures, now];
    return 'wrong';
  };
};

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
