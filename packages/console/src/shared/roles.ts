import { nameIn } from '../api/paths.ts';
import type { Me, Role } from '../api/resources.ts';

export const roleInWords = (role: Role): string => (role === 'admin' ? 'Admin' : 'Member');

/**
 * The reason for a disabled control; undefined for an admin. Until the user is read, all controls
 * that change something are disabled.
 */
export const whyReadOnly = (me: Me | undefined): string | undefined => {
  if (me === undefined) return 'Your role is being read.';
  if (me.role === 'admin') return undefined;
  return `You are a member of ${nameIn(me.account)}. You can see everything here. Only an admin of ${nameIn(me.organisation)} can change it.`;
};
