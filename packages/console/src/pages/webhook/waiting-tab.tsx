import { Button } from '@cloudscape-design/components';
import { useState } from 'react';
import type { Collection, Delivery } from '../../api/resources.ts';
import { AdminButton } from '../../shared/admin-button.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { inDigits } from '../../shared/locale.ts';
import { DeliveryList } from './delivery-list.tsx';
import { useShownWebhook } from './shown-webhook.ts';
import { type KeptState, useKeptEvents } from './webhook-queries.ts';

export const WaitingTab = () => (
  <div className="tab">
    <Kept
      state="pending"
      title="Waiting"
      explanation="Stored events that are not delivered yet, oldest first. While the webhook is failed or busy, they are sent as soon as your endpoint confirms an event; otherwise after a delay."
      empty="No events are waiting. All were delivered or are being sent."
    />
    <Kept
      state="set-aside"
      title="Set aside"
      explanation="Your endpoint confirmed other events, but not these. They are stored. Send one again when your endpoint accepts it, or recover all."
      empty="No events are set aside."
    />
  </div>
);

const FIRST = 10;
/** The longest page of the API. */
const MOST = 100;

interface KeptProps {
  readonly state: KeptState;
  readonly title: string;
  readonly explanation: string;
  readonly empty: string;
}

const Kept = ({ state, title, explanation, empty }: KeptProps) => {
  const [limit, setLimit] = useState(FIRST);
  const { id, actions } = useShownWebhook();
  const query = useKeptEvents(id, state, limit);
  return (
    <section aria-labelledby={`kept-${state}`}>
      <h2 id={`kept-${state}`} className="section-title">
        {title} <span className="quiet">{query.data && `(${totalOf(query.data)})`}</span>
      </h2>
      <Loaded query={query} what={title}>
        {({ member, view }) =>
          member.length === 0 ? (
            <p className="quiet">{empty}</p>
          ) : (
            <>
              <p className="quiet">{explanation}</p>
              <DeliveryList
                label={title}
                deliveries={member}
                hasAttempts={false}
                {...(state === 'set-aside' && {
                  action: (event: string) => (
                    <AdminButton
                      variant="inline-link"
                      loading={actions.resend.isPending && actions.resend.variables === event}
                      onClick={() => actions.resend.mutate(event)}
                      ariaLabel={`Send again: ${event}`}
                    >
                      Send again
                    </AdminButton>
                  ),
                })}
              />
              {view.next !== undefined && limit < MOST && (
                <div className="more">
                  <Button onClick={() => setLimit(MOST)}>Show more</Button>
                </div>
              )}
            </>
          )
        }
      </Loaded>
    </section>
  );
};

const totalOf = (page: Collection<Delivery>): string => {
  if (page.totalItems !== undefined) return inDigits(page.totalItems);
  const { totalItemsAtLeast = page.member.length } = page;
  return `${inDigits(totalItemsAtLeast)}+`;
};
