import { useNavigate, useSearch } from '@tanstack/react-router';
import { readWebhookSearch, type WebhookSearch } from './webhook-search.ts';

/** The members to change. An undefined member is removed from the address. */
type Changes = { readonly [Name in keyof WebhookSearch]?: WebhookSearch[Name] | undefined };

/** The search parameters of the page's address, and a function that changes them. */
export const useWebhookSearch = (): [WebhookSearch, (changes: Changes) => void] => {
  const search = readWebhookSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change = (changes: Changes): void =>
    void navigate({ to: '.', search: { ...search, ...changes } as never, resetScroll: false });
  return [search, change];
};
