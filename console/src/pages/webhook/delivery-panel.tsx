import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import SplitPanel from '@cloudscape-design/components/split-panel';
import { type ReactNode, useState } from 'react';
import { nameIn } from '../../api/paths.ts';
import { ApiProblem } from '../../api/problem.ts';
import type { DeliveryDetails, Integration } from '../../api/resources.ts';
import { AdminButton } from '../../shared/admin-button.tsx';
import { Empty } from '../../shared/empty.tsx';
import { Instant } from '../../shared/instant.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { AttemptTimeline } from './attempt-timeline.tsx';
import { deliveryInWords, nextOf, QUEUED } from './outcome.ts';
import { OutcomeSign } from './outcome-sign.tsx';
import { PANEL_LABELS } from './panel-labels.ts';
import { SentRequest } from './sent-request.tsx';
import { usePanelFocus } from './use-panel-focus.ts';
import type { WebhookActions } from './webhook-actions.ts';
import { useDelivery } from './webhook-queries.ts';

/** A delivery beside the list: what became of it, what was sent, what came back, what is next. */
export const DeliveryPanel = ({
  id,
  event,
  integration,
  resend,
}: {
  id: string;
  event: string;
  integration: Integration;
  resend: WebhookActions['resend'];
}): ReactNode => {
  const [awaitedAttempt, setAwaitedAttempt] = useState(0);
  const query = useDelivery(id, event, awaitedAttempt);
  const summary = usePanelFocus(event);
  const delivery = query.data;
  const isTest = delivery?.latestAttempt?.trigger === 'test';
  const isMissing = query.error instanceof ApiProblem && query.error.status === 404;
  return (
    <SplitPanel
      header={delivery?.eventType ?? 'Delivery'}
      closeBehavior="hide"
      hidePreferencesButton
      i18nStrings={PANEL_LABELS}
      headerActions={
        delivery !== undefined &&
        !isTest && (
          <AdminButton
            loading={resend.isPending}
            loadingText="Sending again"
            onClick={() =>
              resend.mutate(event, {
                onSuccess: () => setAwaitedAttempt((delivery.attempts.at(-1)?.number ?? 0) + 1),
              })
            }
          >
            Send again
          </AdminButton>
        )
      }
    >
      <div ref={summary} tabIndex={-1} className="panel-start">
        {isMissing && delivery === undefined ? (
          <Empty title={`No delivery of ${event}`}>
            The log has none of the last 30 days for this webhook. An event that is still queued for
            its first attempt is not in the log yet.
          </Empty>
        ) : (
          <Loaded query={query} what="The delivery">
            {(details) => (
              <Details
                details={details}
                integration={integration}
                awaitedAttempt={awaitedAttempt}
              />
            )}
          </Loaded>
        )}
      </div>
    </SplitPanel>
  );
};

const Details = ({
  details,
  integration,
  awaitedAttempt,
}: {
  details: DeliveryDetails;
  integration: Integration;
  awaitedAttempt: number;
}): ReactNode => {
  const latest = details.attempts.at(-1);
  const isAwaited = (latest?.number ?? 0) < awaitedAttempt && !details.isPending;
  const next = isAwaited
    ? QUEUED
    : nextOf(details, { nextAttemptAt: integration.failure?.nextAttemptAt }, new Date());
  return (
    <div className="panel">
      <div className="panel-summary">
        <OutcomeSign outcome={deliveryInWords(details)} />
        <span className="quiet">
          Occurred <Instant at={details.occurredAt} />
        </span>
        <CopyToClipboard
          variant="inline"
          textToCopy={nameIn(details.id)}
          copyButtonAriaLabel="Copy the event id"
          copySuccessText="Copied"
          copyErrorText="Not copied"
        />
      </div>
      <section aria-labelledby="attempts">
        <h3 id="attempts">{latest === undefined ? 'What happens next' : 'Attempts'}</h3>
        <AttemptTimeline attempts={details.attempts} next={next} />
      </section>
      <SentRequest
        url={integration.config.baseUrl}
        headers={{
          'Content-Type': 'application/json',
          'webhook-id': webhookIdOf(details),
          ...(latest && { 'webhook-timestamp': String(secondsOf(latest.startedAt)) }),
        }}
        note={
          <p className="quiet">
            Each attempt is signed anew; signatures are not kept. Send a test to see them.
          </p>
        }
        body={details.body}
      />
    </div>
  );
};

const secondsOf = (instant: string): number => Math.floor(Date.parse(instant) / 1_000);

/** The `id` that the endpoint was sent: without the path that the API is served at. */
const webhookIdOf = ({ id }: DeliveryDetails): string => id.slice(id.lastIndexOf('/integrations/'));
