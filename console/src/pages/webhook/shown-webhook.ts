import { createContext, useContext } from 'react';
import type { Integration } from '../../api/resources.ts';
import type { WebhookActions } from './webhook-actions.ts';

/** The webhook of the page. */
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
