import { useMutation, useQueryClient } from '@tanstack/react-query';
import { recover, resendDelivery, retryNow, testIntegration } from '../../api/changes.ts';
import { QUERIES } from '../../api/reads.ts';
import type { EventType } from '../../api/resources.ts';
import { useApi } from '../../console-context.ts';
import { tell } from '../../shell/notices.ts';
import { retryInWords } from './recovering.ts';

/** The actions of an admin. Each shows its result as a notice, and has the page read again. */
export const useWebhookActions = (id: string) => {
  const api = useApi();
  const queries = useQueryClient();
  const readAgain = () => queries.invalidateQueries({ queryKey: QUERIES.webhook(id) });
  const onError = (error: Error) => tell({ type: 'error', text: error.message });
  return {
    test: useMutation({
      mutationFn: (eventType: EventType) => testIntegration(api, id, eventType),
      onError,
      onSettled: readAgain,
    }),
    retry: useMutation({
      mutationFn: () => retryNow(api, id),
      onSuccess: (retry) => tell(retryInWords(retry)),
      onError,
      onSettled: readAgain,
    }),
    recover: useMutation({
      mutationFn: (since: string) => recover(api, id, since),
      onSuccess: () =>
        tell({
          type: 'success',
          text: 'The recovery has begun: what was not delivered is being sent, oldest first.',
        }),
      onError,
      onSettled: readAgain,
    }),
    resend: useMutation({
      mutationFn: (event: string) => resendDelivery(api, id, event),
      onSuccess: () =>
        tell({ type: 'success', text: 'It is sent again in a moment, with the same id.' }),
      onError,
      onSettled: readAgain,
    }),
  };
};

export type WebhookActions = ReturnType<typeof useWebhookActions>;
