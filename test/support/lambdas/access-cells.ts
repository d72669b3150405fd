import type { Role } from '../../../core/directory/user.ts';
import { ROUTES } from '../../../lambdas/api/openapi/routes.ts';
import type { Route } from '../../../lambdas/api/runtime/route.ts';
import type { Customer } from '../journey/customer-of.ts';
import type { ApiCall } from '../journey/platform-of.ts';

interface Accounts {
  /** The account whose things the paths name. */
  readonly own: Pick<Customer, 'tokens'> & { readonly revokedToken: string };
  readonly other: Pick<Customer, 'tokens'>;
}

/** A kind of caller, as it stands to what the paths name. */
export interface Caller {
  readonly who: string;
  /** Of its token; absent where no token speaks for it. */
  readonly role?: Role;
  readonly isOutsider?: boolean;
  /** Has to be in the path for the caller to differ from the others. */
  readonly only?: '{account_name}';
  /** Whose name an `{account_name}` is; that of `own` when absent. */
  readonly names?: 'other';
  readonly credentials: (accounts: Accounts) => Pick<ApiCall, 'token' | 'headers'>;
}

const authorization = (value: string): Pick<ApiCall, 'token' | 'headers'> => ({
  token: undefined,
  headers: { Authorization: value },
});

export const CALLERS: readonly Caller[] = [
  { who: 'nobody', credentials: () => ({ token: undefined }) },
  { who: 'one with another scheme', credentials: () => authorization('Basic dTpw') },
  {
    who: 'one with a token and no scheme',
    credentials: ({ own }) => authorization(own.tokens.admin),
  },
  {
    who: 'one with an unknown token',
    credentials: () => ({ token: `mst_${'A'.repeat(43)}` }),
  },
  { who: 'one with a revoked token', credentials: ({ own }) => ({ token: own.revokedToken }) },
  {
    who: 'a member',
    role: 'member',
    credentials: ({ own }) => ({ token: own.tokens.member }),
  },
  { who: 'an admin', role: 'admin', credentials: ({ own }) => ({ token: own.tokens.admin }) },
  {
    who: 'a member of another account',
    role: 'member',
    isOutsider: true,
    credentials: ({ other }) => ({ token: other.tokens.member }),
  },
  {
    who: 'an admin of another account',
    role: 'admin',
    isOutsider: true,
    credentials: ({ other }) => ({ token: other.tokens.admin }),
  },
  {
    who: 'a member who names another account',
    role: 'member',
    isOutsider: true,
    only: '{account_name}',
    names: 'other',
    credentials: ({ own }) => ({ token: own.tokens.member }),
  },
  {
    who: 'an admin who names another account',
    role: 'admin',
    isOutsider: true,
    only: '{account_name}',
    names: 'other',
    credentials: ({ own }) => ({ token: own.tokens.admin }),
  },
];

/** A status alone is a success. */
export interface Expected {
  readonly status: number;
  readonly problem?: 'unauthorized' | 'forbidden' | 'not-found';
}

/**
 * What the contract gives a caller of a route. A member is told that only admins may before it is
 * looked whose the thing is, and so the same whether there is one; but an account's name is first.
 */
const expectedOf = (route: Route, { role, isOutsider = false }: Caller): Expected => {
  const success = { status: route.answers[0]?.status ?? 0 };
  if (route.access === 'public') return success;
  // Stages that name no role of the platform lack its routes, and those of links.
  if (route.access === 'platform' || route.access === 'code')
    return { status: 404, problem: 'not-found' };
  if (role === undefined) return { status: 401, problem: 'unauthorized' };
  const notFound = { status: 404, problem: 'not-found' } as const;
  if (isOutsider && route.path.includes('{account_name}')) return notFound;
  if (route.access === 'admin' && role === 'member') return { status: 403, problem: 'forbidden' };
  return isOutsider && route.path.includes('{') ? notFound : success;
};

export const CELLS = ROUTES.flatMap((route) =>
  CALLERS.filter(({ only = '' }) => route.path.includes(only)).map((caller) => ({
    route,
    caller,
    expected: expectedOf(route, caller),
    title: `${route.operationId} by ${caller.who}`,
  })),
);
