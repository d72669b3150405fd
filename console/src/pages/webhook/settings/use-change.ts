import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ApiClient } from '../../../api/api-client.ts';
import { QUERIES } from '../../../api/reads.ts';
import { useApi } from '../../../console-context.ts';
import { useShownWebhook } from '../shown-webhook.ts';

/** A change of the page's webhook. Afterwards everything about the webhook is read again. */
export const useChange = <Wish = void, Answer = unknown>(
  change: (api: ApiClient, id: string, wish: Wish) => Promise<Answer>,
  onDone: (answer: Answer) => void,
) => {
  const api = useApi();
  const queries = useQueryClient();
  const { account, id } = useShownWebhook();
  return useMutation({
    mutationFn: (wish: Wish) => change(api, id, wish),
    onSuccess: async (answer) => {
      await queries.invalidateQueries({ queryKey: QUERIES.webhook(id) });
      void queries.invalidateQueries({ queryKey: QUERIES.integrations(account) });
      onDone(answer);
    },
  });
};
