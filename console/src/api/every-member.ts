import type { ApiClient } from './api-client.ts';
import type { Collection } from './resources.ts';

/** The most members that the service puts on a page. */
const PAGE = 100;

/** The members of all pages of a collection. For collections that the service keeps small. */
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
