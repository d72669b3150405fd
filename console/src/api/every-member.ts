import type { ApiClient } from './api-client.ts';
import type { Collection } from './resources.ts';

/** The members of all pages of a collection. For collections that the service keeps small. */
export const everyMember = async <Member>(
  api: ApiClient,
  path: string,
  signal?: AbortSignal,
): Promise<readonly Member[]> => {
  const members: Member[] = [];
  let next: string | undefined = path;
  while (next !== undefined) {
    const page: Collection<Member> = await api.get<Collection<Member>>(next, { signal });
    members.push(...page.member);
    next = page.view.next;
  }
  return members;
};
