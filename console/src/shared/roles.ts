import { nameIn } from '../api/paths.ts';
import type { Me } from '../api/resources.ts';

/**
 * Why the person cannot change anything, in words for a disabled control; undefined for an admin.
 * While it is not yet known who is signed in, nothing can be changed either.
 */
export const whyReadOnly = (me: Me | undefined): string | undefined => {
  if (me === undefined) return 'Your role is being read.';
  if (me.role === 'admin') return undefined;
  const organisation = nameIn(me.organisation);
  return `You are a member of ${organisation}: you can see everything here. An admin of ${organisation} can change it.`;
};
