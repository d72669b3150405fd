import type { Signal } from '../shared/signal.ts';
import { NoAnswer, problemOf } from './problem.ts';
import type { Collection } from './resources.ts';

const MEDIA_TYPE = 'application/vnd.service+jsonld';

/** The access token of the user who is signed in. */
export interface Tokens {
  readonly current: () => Promise<string>;
  /** Replaces a token that the service refused. The user may have to sign in again first. */
  readonly renewed: () => Promise<string>;
}

export interface Call {
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The `ETag` of the read that a change is based on, for `If-Match`. */
  readonly etag?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A response with its `ETag`, which a later change sends as `If-Match`. */
export interface Tagged<Body> {
  readonly body: Body;
  readonly etag: string | undefined;
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

interface ClientOptions {
  readonly base: string;
  readonly tokens: Tokens;
  readonly isCutOff: Signal<boolean>;
}

export type ApiClient = ReturnType<typeof createApiClient>;

/**
 * Calls the API as the user who is signed in. Sets `isCutOff` to whether the latest call got no
 * response. Throws `ApiProblem` and `NoAnswer`.
 */
export const createApiClient = ({ base, tokens, isCutOff }: ClientOptions) => {
  const send = async (method: Method, path: string, token: string, call: Call) => {
    const answer = await fetch(`${base}${path}${queryOf(call.query)}`, {
      method,
      headers: {
        Accept: MEDIA_TYPE,
        Authorization: `Bearer ${token}`,
        ...(call.body !== undefined && { 'Content-Type': MEDIA_TYPE }),
        ...(call.etag !== undefined && { 'If-Match': call.etag }),
        ...call.headers,
      },
      ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
      ...(call.signal && { signal: call.signal }),
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
    }).catch((error: unknown) => {
      if (call.signal?.aborted) throw error;
      isCutOff.set(true);
      throw new NoAnswer('The service cannot be reached.', { cause: error });
    });
    isCutOff.set(false);
    return answer;
  };

  const request = async <Body>(
    method: Method,
    path: string,
    call: Call = {},
  ): Promise<Tagged<Body>> => {
    let answer = await send(method, path, await tokens.current(), call);
    if (answer.status === 401) answer = await send(method, path, await tokens.renewed(), call);
    if (!answer.ok) throw await problemOf(answer);
    const text = await answer.text();
    return {
      body: (text === '' ? undefined : JSON.parse(text)) as Body,
      etag: answer.headers.get('etag') ?? undefined,
    };
  };

  return {
    request,
    get: async <Body>(path: string, call?: Call): Promise<Body> =>
      (await request<Body>('GET', path, call)).body,
    post: async <Body>(path: string, call?: Call): Promise<Body> =>
      (await request<Body>('POST', path, call)).body,
    delete: async (path: string, call?: Call): Promise<void> => {
      await request('DELETE', path, call);
    },
  };
};

const queryOf = (query: Call['query'] = {}): string => {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
};

/** The most members that the service puts on a page. */
const PAGE = 100;

/** The members of all pages of a collection that the service keeps small. */
export const everyMember = async <Member>(
  api: ApiClient,
  path: string,
  signal?: AbortSignal,
): Promise<readonly Member[]> => {
  const members: Member[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: PAGE, cursor };
    const page: Collection<Member> = await api.get<Collection<Member>>(path, { query, signal });
    members.push(...page.member);
    cursor = page.view.next === undefined ? undefined : cursorIn(page.view.next);
  } while (cursor !== undefined);
  return members;
};

/** The cursor in `view.next`, whose path begins with the path that the API is served at. */
export const cursorIn = (next: string): string | undefined =>
  new URLSearchParams(next.slice(next.indexOf('?'))).get('cursor') ?? undefined;
