import Badge from '@cloudscape-design/components/badge';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { nameIn } from '../../api/paths.ts';
import type { Delivery } from '../../api/resources.ts';
import { Instant } from '../../shared/instant.tsx';
import { durationInWords } from './chart.ts';
import { deliveryInWords } from './outcome.ts';
import { OutcomeSign } from './outcome-sign.tsx';
import type { WebhookSearch } from './webhook-search.ts';

/**
 * A row for each delivery; the link in a row opens the delivery beside the list. Where the list is
 * narrow, the columns of the id, the attempts and the time are left out.
 */
export const DeliveryList = ({
  label,
  deliveries,
  search,
  newIds,
  hasAttempts = true,
  action,
}: {
  label: string;
  deliveries: readonly Delivery[];
  search: WebhookSearch;
  newIds?: ReadonlySet<string>;
  /** Whether attempts were looked up. */
  hasAttempts?: boolean;
  /** Of a row, in a column of its own. */
  action?: (event: string) => ReactNode;
}): ReactNode => (
  <table className="deliveries" aria-label={label}>
    <thead>
      <tr>
        <th scope="col">Outcome</th>
        <th scope="col">Event</th>
        <th scope="col" className="wide-only">
          Id
        </th>
        {hasAttempts && (
          <>
            <th scope="col" className="wide-only number">
              Attempts
            </th>
            <th scope="col" className="wide-only number">
              Took
            </th>
          </>
        )}
        <th scope="col" className="when">
          Occurred
        </th>
        {action && (
          <th scope="col">
            <span className="visually-hidden">Action</span>
          </th>
        )}
      </tr>
    </thead>
    <tbody>
      {deliveries.map((delivery) => {
        const event = nameIn(delivery.id);
        return (
          <tr
            key={delivery.id}
            className={newIds?.has(delivery.id) ? 'is-new' : undefined}
            data-event={event}
            aria-current={event === search.event ? 'true' : undefined}
          >
            <Cells delivery={delivery} event={event} search={search} hasAttempts={hasAttempts} />
            {action && <td className="row-action">{action(event)}</td>}
          </tr>
        );
      })}
    </tbody>
  </table>
);

const Cells = ({
  delivery,
  event,
  search,
  hasAttempts,
}: {
  delivery: Delivery;
  event: string;
  search: WebhookSearch;
  hasAttempts: boolean;
}): ReactNode => {
  const { eventType, latestAttempt, occurredAt } = delivery;
  return (
    <>
      <td className="outcome">
        <OutcomeSign outcome={deliveryInWords(delivery)} />
      </td>
      <td className="event">
        <Link
          to="."
          search={{ ...search, event } as never}
          resetScroll={false}
          className="row-link"
          aria-label={`${eventType}, ${event}`}
        >
          {eventType}
        </Link>
        {latestAttempt?.trigger === 'test' && (
          <>
            {' '}
            <Badge>test</Badge>
          </>
        )}
      </td>
      <td className="wide-only id">{event}</td>
      {hasAttempts && (
        <>
          <td className="wide-only number">{latestAttempt?.number ?? '–'}</td>
          <td className="wide-only number">
            {latestAttempt === undefined ? '–' : durationInWords(latestAttempt.durationMs)}
          </td>
        </>
      )}
      <td className="when">
        <Instant at={occurredAt} />
      </td>
    </>
  );
};
