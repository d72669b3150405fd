import { Alert, Link, SpaceBetween } from '@cloudscape-design/components';
import { useState } from 'react';
import { CONFIRMED_OTHERS, capitalised } from '../../api/resources.ts';
import { AdminButton } from '../../shared/admin-button.tsx';
import { ExplanationLink } from '../../shared/explanation-link.tsx';
import { Instant } from '../../shared/instant.tsx';
import { PLACES } from '../../shell/places.ts';
import { type Banner, bannerOf } from './banner.ts';
import { RecoverDialog } from './recover-dialog.tsx';
import { useShownWebhook } from './shown-webhook.ts';
import { useLatestTransient } from './webhook-queries.ts';

/** The banner of a webhook that is in trouble or inactive, with the actions that end the trouble. */
export const Trouble = ({ waiting }: { waiting: number | undefined }) => {
  const { id, integration } = useShownWebhook();
  const [isAsking, setIsAsking] = useState(false);
  const latest = useLatestTransient(id, integration.status === 'busy');
  const banner = bannerOf(integration, { waiting, latest: latest.data ?? undefined });
  return (
    <>
      {banner && <WebhookBanner banner={banner} onRecover={() => setIsAsking(true)} />}
      {isAsking && <RecoverDialog onClose={() => setIsAsking(false)} />}
    </>
  );
};

const WebhookBanner = ({ banner, onRecover }: { banner: Banner; onRecover: () => void }) => {
  const { account, id, actions } = useShownWebhook();
  return (
    <Alert
      type={banner.type}
      header={capitalised(banner.what)}
      statusIconAriaLabel={banner.type === 'error' ? 'Failed' : 'Attention'}
      action={
        banner.canRecover && (
          <SpaceBetween direction="horizontal" size="xs">
            <AdminButton
              variant="primary"
              loading={actions.retry.isPending}
              loadingText="Waiting for your endpoint"
              onClick={() => actions.retry.mutate()}
            >
              Retry now
            </AdminButton>
            <AdminButton onClick={onRecover}>Recover all…</AdminButton>
          </SpaceBetween>
        )
      }
    >
      <p className="advice">
        {banner.advice} <ExplanationLink page={banner.page} />
      </p>
      {banner.suggestsContinue && (
        <p className="advice">
          {CONFIRMED_OTHERS} If it refuses single events only,{' '}
          <Link variant="primary" href={PLACES.fatalErrorChoice(account, id)}>
            continue with the other events
          </Link>
          .
        </p>
      )}
      <ul className="facts">
        {banner.since !== undefined && (
          <li>
            Since <Instant at={banner.since} hasDistance />
          </li>
        )}
        {banner.waiting !== '' && <li>{banner.waiting}</li>}
        {banner.nextAttemptAt !== undefined && (
          <li>
            Next attempt <Instant at={banner.nextAttemptAt} hasDistance />
          </li>
        )}
      </ul>
    </Alert>
  );
};
