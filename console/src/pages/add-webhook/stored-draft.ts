import { useState } from 'react';
import { NEW_WEBHOOK, type WebhookDraft } from '../../shared/webhook-draft.ts';

/** What was typed and not saved, for a page that is loaded again. A secret is not kept. */
export const useStoredDraft = (
  account: string,
): [WebhookDraft, (draft: WebhookDraft) => void, () => void] => {
  const key = `draft:webhook:${account}`;
  const [draft, setDraft] = useState(() => storedDraft(sessionStorage.getItem(key)));
  return [
    draft,
    (changed) => {
      setDraft(changed);
      sessionStorage.setItem(key, JSON.stringify({ ...changed, secret: '' }));
    },
    () => sessionStorage.removeItem(key),
  ];
};

const storedDraft = (text: string | null): WebhookDraft =>
  text === null ? NEW_WEBHOOK : { ...NEW_WEBHOOK, ...(JSON.parse(text) as Partial<WebhookDraft>) };
