import { useState } from 'react';
import type { Integration } from '../../api/resources.ts';
import { PLACES } from '../../shell/places.ts';
import { bannerOf } from './banner.ts';
import { RecoverDialog } from './recover-dialog.tsx';
import type { WebhookActions } from './webhook-actions.ts';
import { WebhookBanner } from './webhook-banner.tsx';
import { useLatestUnanswered } from './webhook-queries.ts';

/** The banner of a webhook that is in trouble or switched off, and the way out. */
export const Trouble = ({
  account,
  id,
  integration,
  waiting,
  actions: { retry, recover },
}: {
  account: string;
  id: string;
  integration: Integration;
  waiting: number | undefined;
  actions: WebhookActions;
}) => {
  const [isAsking, setIsAsking] = useState(false);
  const latest = useLatestUnanswered(id, integration.status === 'busy');
  const banner = bannerOf(integration, { waiting, latest: latest.data ?? undefined });
  return (
    <>
      {banner && (
        <WebhookBanner
          banner={banner}
          fatalErrorChoice={PLACES.fatalErrorChoice(account, id)}
          isRetrying={retry.isPending}
          onRetry={() => retry.mutate()}
          onRecover={() => setIsAsking(true)}
        />
      )}
      {isAsking && (
        <RecoverDialog
          integration={integration}
          isRecovering={recover.isPending}
          onDismiss={() => setIsAsking(false)}
          onRecover={(since) => recover.mutate(since, { onSettled: () => setIsAsking(false) })}
        />
      )}
    </>
  );
};
