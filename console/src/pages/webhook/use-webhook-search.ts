import { useNavigate, useSearch } from '@tanstack/react-router';
import { readWebhookSearch, type WebhookSearch } from './webhook-search.ts';

/** Members to change; a member that is undefined is left out of the address. */
type Changes = { readonly [Name in keyof WebhookSearch]?: WebhookSearch[Name] | undefined };

/** What the page's address says, and how to have it say something else. */
export const useWebhookSearch = (): [WebhookSearch, (changes: Changes) => void] => {
  const search = readWebhookSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change = (changes: Changes): void =>
    void navigate({
      to: '.',
      search: { ...search, ...changes } as never,
      resetScroll: false,
    });
  return [search, change];
};
