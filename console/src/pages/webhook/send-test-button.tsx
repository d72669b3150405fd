import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import type { ReactNode } from 'react';
import { useMe } from '../../api/reads.ts';
import type { EventType, Integration } from '../../api/resources.ts';
import { AdminButton } from '../../shared/admin-button.tsx';
import { whyReadOnly } from '../../shared/roles.ts';
import { EVENT_TYPES } from './webhook-search.ts';

/** Sends a sample: of the first event type that the webhook wants, or of a chosen one. */
export const SendTestButton = ({
  integration,
  isTesting,
  onTest,
}: {
  integration: Integration;
  isTesting: boolean;
  onTest: (type: EventType) => void;
}): ReactNode => {
  const { data: me } = useMe();
  const { actions } = integration.settings;
  const wanted = EVENT_TYPES.filter((type) => actions[type]);
  const first = wanted[0] ?? 'message.received';
  if (whyReadOnly(me) !== undefined) return <AdminButton>Send test</AdminButton>;
  const isWanted = (type: EventType) => wanted.includes(type);
  const itemOf = (type: EventType) => ({ id: type, text: type });
  return (
    <ButtonDropdown
      variant="primary"
      loading={isTesting}
      loadingText="Waiting for your endpoint"
      mainAction={{ text: 'Send test', onClick: () => onTest(first) }}
      ariaLabel="Send a test of another event type"
      items={[
        { text: 'Subscribed', items: EVENT_TYPES.filter(isWanted).map(itemOf) },
        {
          text: 'Not subscribed',
          items: EVENT_TYPES.filter((type) => !isWanted(type)).map(itemOf),
        },
      ].filter(({ items }) => items.length > 0)}
      onItemClick={({ detail }) => onTest(detail.id as EventType)}
    />
  );
};
