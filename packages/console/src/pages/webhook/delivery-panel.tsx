import { CopyToClipboard } from '@cloudscape-design/components';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { nameIn } from '../../api/paths.ts';
import { type DeliveryDetails, IN_WORDS } from '../../api/resources.ts';
import { AdminButton } from '../../shared/admin-button.tsx';
import { Breakable } from '../../shared/breakable.tsx';
import { Empty } from '../../shared/empty.tsx';
import { Instant } from '../../shared/instant.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { deliveryInWords, nextOf, QUEUED } from '../../shared/outcome.ts';
import { OutcomeSign } from '../../shared/outcome-sign.tsx';
import { AttemptTimeline } from './attempt-timeline.tsx';
import { curlCommand, webhookIdOf } from './curl-command.ts';
import { Panel, SentRequest } from './panel.tsx';
import { useShownWebhook } from './shown-webhook.ts';
import { useDelivery } from './webhook-queries.ts';

export const DeliveryPanel = ({ event }: { event: string }) => {
  const { id, actions } = useShownWebhook();
  const [awaitedAttempt, setAwaitedAttempt] = useState(0);
  const query = useDelivery(id, event, awaitedAttempt);
  const delivery = query.data;
  const isTest = delivery?.latestAttempt?.trigger === 'test';
  return (
    <Panel
      header="Delivery"
      headerActions={
        delivery !== undefined &&
        !isTest && (
          <AdminButton
            loading={actions.resend.isPending}
            loadingText="Sending again"
            onClick={() =>
              actions.resend.mutate(event, {
                onSuccess: () => setAwaitedAttempt((delivery.attempts.at(-1)?.number ?? 0) + 1),
              })
            }
          >
            Send again
          </AdminButton>
        )
      }
    >
      <PanelStart event={event}>
        <Loaded query={query} what="The delivery" missing={<Missing event={event} />}>
          {(details) => <Details details={details} awaitedAttempt={awaitedAttempt} />}
        </Loaded>
      </PanelStart>
    </Panel>
  );
};

/** A component of its own, because the layout renders a panel after the page. */
const PanelStart = ({ event, children }: { event: string; children: ReactNode }) => {
  const start = usePanelFocus(event);
  return (
    <div ref={start} tabIndex={-1} className="panel-start">
      {children}
    </div>
  );
};

const Missing = ({ event }: { event: string }) => (
  <Empty title={`No delivery of ${event}`}>
    The log of the last {IN_WORDS.logRetention} does not have it. An event that is queued for its
    first attempt is not in the log yet.
  </Empty>
);

interface DetailsProps {
  readonly details: DeliveryDetails;
  readonly awaitedAttempt: number;
}

const Details = ({ details, awaitedAttempt }: DetailsProps) => {
  const { integration } = useShownWebhook();
  const latest = details.attempts.at(-1);
  const isAwaited = (latest?.number ?? 0) < awaitedAttempt && !details.isPending;
  const next = isAwaited
    ? QUEUED
    : nextOf(details, { nextAttemptAt: integration.failure?.nextAttemptAt }, new Date());
  return (
    <div className="panel">
      <div className="panel-summary">
        <strong>
          <Breakable>{details.eventType}</Breakable>
        </strong>
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
        headers={{
          'Content-Type': 'application/json',
          ...integration.config.headers,
          'webhook-id': webhookIdOf(details),
          ...(latest && { 'webhook-timestamp': String(secondsOf(latest.startedAt)) }),
        }}
        note={
          <>
            <p className="quiet">
              Each attempt was a new POST to the URL set at that time. Your own headers are the
              current ones. We do not store signatures. Send a test to see them.
            </p>
            {details.body !== undefined && (
              <CopyToClipboard
                textToCopy={curlCommand(details, details.body)}
                copyButtonText="Copy as cURL"
                copySuccessText="Copied"
                copyErrorText="Not copied"
              />
            )}
          </>
        }
        body={details.body}
      />
    </div>
  );
};

const secondsOf = (instant: string): number => Math.floor(Date.parse(instant) / 1_000);

/**
 * Moves the focus to a panel that opens, and back to its row when the panel closes. Keeps the row
 * in its place in the window, although the content above it becomes taller beside the panel.
 */
const usePanelFocus = (event: string): RefObject<HTMLDivElement | null> => {
  const start = useRef<HTMLDivElement>(null);
  useEffect(() => {
    start.current?.focus({ preventScroll: true });
    const row = rowOf(event);
    const release = row ? keepInPlace(row) : () => undefined;
    return () => {
      release();
      // If another row was chosen, the focus has moved already.
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) {
          rowOf(event)?.querySelector('a')?.focus({ preventScroll: true });
        }
      });
    };
  }, [event]);
  return start;
};

const rowOf = (event: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-event="${CSS.escape(event)}"]`);

const OPENING_MS = 600;

const keepInPlace = (row: HTMLElement): (() => void) => {
  // In a narrow window the panel opens from the bottom and would cover the row.
  const top = Math.min(row.getBoundingClientRect().top, window.innerHeight / 3);
  const observer = new ResizeObserver(() =>
    window.scrollBy(0, row.getBoundingClientRect().top - top),
  );
  observer.observe(document.body);
  observer.observe(row);
  const timer = setTimeout(() => observer.disconnect(), OPENING_MS);
  return () => {
    clearTimeout(timer);
    observer.disconnect();
  };
};
