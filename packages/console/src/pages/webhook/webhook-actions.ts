import { useMutation, useQueryClient } from '@tanstack/react-query';
import { deliveryPath, integrationPath } from '../../api/paths.ts';
import { QUERIES } from '../../api/reads.ts';
import type { Delivery, EventType, Recovery, Retry, WebhookTest } from '../../api/resources.ts';
import { useApi } from '../../console-context.ts';
import { tell } from '../../shell/notices.ts';
import { retryInWords } from './recovering.ts';

/** The actions of an admin. Each shows its result, and then has the page read again. */
export const useWebhookActions = (id: string) => {
  const api = useApi();
  const queries = useQueryClient();
  const path = integrationPath(id);
  const always = {
    onError: (error: Error) => tell({ type: 'error', text: error.message }),
    onSettled: () => queries.invalidateQueries({ queryKey: QUERIES.webhook(id) }),
  };
  return {
    test: useMutation({
      mutationFn: (eventType: EventType) =>
        api.post<WebhookTest>(`${path}/test`, { body: { eventType } }),
      ...always,
    }),
    retry: useMutation({
      mutationFn: () => api.post<Retry>(`${path}/retry`),
      onSuccess: (retry) => tell(retryInWords(retry)),
      ...always,
    }),
    recover: useMutation({
      mutationFn: (since: string) => api.post<Recovery>(`${path}/recover`, { body: { since } }),
      onSuccess: () =>
        tell({
          type: 'success',
          text: 'The recovery has begun. Undelivered events are being sent, oldest first.',
        }),
      ...always,
    }),
    resend: useMutation({
      mutationFn: (event: string) => api.post<Delivery>(`${deliveryPath(id, event)}/resend`),
      onSuccess: () =>
        tell({ type: 'success', text: 'The event will be sent again shortly, with the same id.' }),
      ...always,
    }),
  };
};

export type WebhookActions = ReturnType<typeof useWebhookActions>;
