import Alert from '@cloudscape-design/components/alert';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { AdminButton } from '../../shared/admin-button.tsx';
import { Instant } from '../../shared/instant.tsx';
import type { Banner } from './banner.ts';

/** What is wrong, since when, what to do, what waits; and the two calls that end it. */
export const WebhookBanner = ({
  banner,
  fatalErrorChoice,
  isRetrying,
  onRetry,
  onRecover,
}: {
  banner: Banner;
  /** The address of the setting that the banner may suggest to change. */
  fatalErrorChoice: string;
  isRetrying: boolean;
  onRetry: () => void;
  onRecover: () => void;
}): ReactNode => (
  <Alert
    type={banner.type}
    header={upperFirst(banner.what)}
    statusIconAriaLabel={banner.type === 'error' ? 'Failed' : 'Attention'}
    action={
      banner.canRecover && (
        <SpaceBetween direction="horizontal" size="xs">
          <AdminButton
            variant="primary"
            loading={isRetrying}
            loadingText="Waiting for your endpoint"
            onClick={onRetry}
          >
            Retry now
          </AdminButton>
          <AdminButton onClick={onRecover}>Recover all…</AdminButton>
        </SpaceBetween>
      )
    }
  >
    <p className="advice">{banner.advice}</p>
    {banner.suggestsContinue && (
      <p className="advice">
        Your endpoint confirmed other events within the hour before it failed. If it refuses single
        events only,{' '}
        <Link variant="primary" href={fatalErrorChoice}>
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

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
