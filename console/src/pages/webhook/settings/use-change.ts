import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ApiClient } from '../../../api/api-client.ts';
import { nameIn } from '../../../api/paths.ts';
import { QUERIES } from '../../../api/reads.ts';
import type { Integration } from '../../../api/resources.ts';
import { useApi } from '../../../console-context.ts';

/** A webhook and its account, for the sections of its settings. */
export interface WebhookSettingsProps {
  readonly account: string;
  /** The result of the latest read. */
  readonly integration: Integration;
  /** The `ETag` of that read. */
  readonly etag: string | undefined;
}

/** A change of a webhook. Afterwards everything about the webhook is read again. */
export const useChange = <Wish = void, Answer = unknown>(
  { account, integration }: WebhookSettingsProps,
  change: (api: ApiClient, id: string, wish: Wish) => Promise<Answer>,
  onDone: (answer: Answer) => void,
) => {
  const api = useApi();
  const queries = useQueryClient();
  const id = nameIn(integration.id);
  return useMutation({
    mutationFn: (wish: Wish) => change(api, id, wish),
    onSuccess: async (answer) => {
      await queries.invalidateQueries({ queryKey: QUERIES.webhook(id) });
      void queries.invalidateQueries({ queryKey: QUERIES.integrations(account) });
      onDone(answer);
    },
  });
};
