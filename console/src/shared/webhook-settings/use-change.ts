import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ApiClient } from '../../api/api-client.ts';
import { nameIn } from '../../api/paths.ts';
import { QUERIES } from '../../api/reads.ts';
import { useApi } from '../../console-context.ts';
import type { WebhookSettingsProps } from './webhook-settings.tsx';

/** A change of a webhook; after it everything that is shown of the webhook is read anew. */
export const useChange = <Wish, Answer>(
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
