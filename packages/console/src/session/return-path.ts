/**
 * The path to continue at after a sign-in, from the state that the sign-in kept. Two slashes at its
 * start would name another host.
 */
export const returnPath = (state: unknown): string =>
  typeof state === 'string' ? state.replace(/^[/\\]*/, '/') : '/';
