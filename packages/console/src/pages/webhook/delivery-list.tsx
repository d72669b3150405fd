import { Badge, Icon } from '@cloudscape-design/components';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { nameIn } from '../../api/paths.ts';
import type { Delivery } from '../../api/resources.ts';
import { Breakable } from '../../shared/breakable.tsx';
import { Instant } from '../../shared/instant.tsx';
import { inDigits } from '../../shared/locale.ts';
import { deliveryInWords } from '../../shared/outcome.ts';
import { OutcomeSign } from '../../shared/outcome-sign.tsx';
import { durationInWords } from './chart.ts';
import { useWebhookSearch } from './use-webhook-search.ts';

interface ListProps {
  readonly label: string;
  readonly deliveries: readonly Delivery[];
  readonly newIds?: ReadonlySet<string>;
  /** Whether the deliveries have their attempts. */
  readonly hasAttempts?: boolean;
  /** The action of a row, in a column of its own. */
  readonly action?: (event: string) => ReactNode;
}

/**
 * A row for each delivery. The link in a row opens the delivery beside the list. A narrow list has
 * no columns for the id and the attempts.
 */
export const DeliveryList = ({ label, deliveries, ...row }: ListProps) => {
  const { hasAttempts = true, action } = row;
  return (
    <table className="deliveries" aria-label={label}>
      <thead>
        <tr>
          <Heading>Outcome</Heading>
          <Heading>Event</Heading>
          <Heading className="wide-only">Id</Heading>
          {hasAttempts && <Heading className="wide-only number">Attempts</Heading>}
          {hasAttempts && <Heading className="wide-only number">Took</Heading>}
          <Heading className="when">Occurred</Heading>
          {action && (
            <Heading>
              <span className="visually-hidden">Action</span>
            </Heading>
          )}
        </tr>
      </thead>
      <tbody>
        {(hasAttempts ? runsOf(deliveries) : [deliveries]).map((run) =>
          hasAttempts && run.length > 1 ? (
            <Waiting key={run.at(-1)?.id} deliveries={run} {...row} />
          ) : (
            run.map((delivery) => <Row key={delivery.id} delivery={delivery} {...row} />)
          ),
        )}
      </tbody>
    </table>
  );
};

/** Neighbours that wait for their first attempt are one run; each other delivery is a run. */
const runsOf = (deliveries: readonly Delivery[]): readonly (readonly Delivery[])[] => {
  const runs: Delivery[][] = [];
  let waiting: Delivery[] | undefined;
  for (const delivery of deliveries) {
    const run = [delivery];
    const isWaiting = delivery.latestAttempt === undefined;
    if (isWaiting && waiting) waiting.push(delivery);
    else runs.push(run);
    waiting = isWaiting ? (waiting ?? run) : undefined;
  }
  return runs;
};

/** Deliveries that wait are one row, which shows the others. */
const Waiting = ({ deliveries, ...row }: Omit<ListProps, 'label'>) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <tr>
        <td colSpan={3}>
          <button
            type="button"
            className="row-link waiting-run"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name={isOpen ? 'caret-down-filled' : 'caret-right-filled'} />
            {inDigits(deliveries.length)} events waiting
          </button>
        </td>
      </tr>
      {isOpen &&
        deliveries.map((delivery) => <Row key={delivery.id} delivery={delivery} {...row} />)}
    </>
  );
};

const Heading = (props: { className?: string; children: ReactNode }) => (
  <th scope="col" {...props} />
);

const Row = ({
  delivery,
  newIds,
  hasAttempts = true,
  action,
}: Omit<ListProps, 'label' | 'deliveries'> & { delivery: Delivery }) => {
  const [search] = useWebhookSearch();
  const { eventType, latestAttempt, occurredAt } = delivery;
  const event = nameIn(delivery.id);
  return (
    <tr
      className={newIds?.has(delivery.id) ? 'is-new' : undefined}
      data-event={event}
      aria-current={event === search.event ? 'true' : undefined}
    >
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
          <Breakable>{eventType}</Breakable>
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
      {action && <td className="row-action">{action(event)}</td>}
    </tr>
  );
};
