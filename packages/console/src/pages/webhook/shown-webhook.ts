import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import type { ApiClient } from '../../api/api-client.ts';
import { isOutdated } from '../../api/field-errors.ts';
import { integrationPath } from '../../api/paths.ts';
import { QUERIES } from '../../api/reads.ts';
import type { Integration } from '../../api/resources.ts';
import { useApi } from '../../console-context.ts';
import type { WebhookActions } from './webhook-actions.ts';

export interface ShownWebhook {
  readonly account: string;
  readonly id: string;
  /** The result of the latest read. */
  readonly integration: Integration;
  /** The `ETag` of that read. */
  readonly etag: string | undefined;
  readonly actions: WebhookActions;
}

const Context = createContext<ShownWebhook | undefined>(undefined);

export const ShownWebhookProvider = Context.Provider;

export const useShownWebhook = (): ShownWebhook => {
  const webhook = useContext(Context);
  if (webhook === undefined) throw new Error('This component belongs to the page of a webhook.');
  return webhook;
};

/**
 * A change of the webhook. Afterwards everything about the webhook is read again. If it was changed
 * after it was read, it is read again before the error is shown.
 */
export const useChange = <Wish = void, Answer = unknown>(
  change: (api: ApiClient, path: string, wish: Wish) => Promise<Answer>,
  onDone: (answer: Answer) => void,
) => {
  const api = useApi();
  const queries = useQueryClient();
  const { account, id } = useShownWebhook();
  return useMutation({
    mutationFn: (wish: Wish) => change(api, integrationPath(id), wish),
    onError: async (error) => {
      if (isOutdated(error)) await queries.invalidateQueries({ queryKey: QUERIES.integration(id) });
    },
    onSuccess: async (answer) => {
      await queries.invalidateQueries({ queryKey: QUERIES.webhook(id) });
      void queries.invalidateQueries({ queryKey: QUERIES.integrations(account) });
      onDone(answer);
    },
  });
};

/** `etag` is from the read that the change is based on. */
export const changeSettings = (
  api: ApiClient,
  path: string,
  patch: object,
  etag: string | undefined,
) =>
  api.request<Integration>('PATCH', path, {
    body: patch,
    headers: { 'Content-Type': 'application/merge-patch+json' },
    etag,
  });
