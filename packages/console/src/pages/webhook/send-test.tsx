import { Alert, ButtonDropdown } from '@cloudscape-design/components';
import { useMe } from '../../api/reads.ts';
import {
  adviceFor,
  capitalised,
  EVENT_TYPES,
  type EventType,
  type WebhookTest,
} from '../../api/resources.ts';
import { AdminButton } from '../../shared/admin-button.tsx';
import { whyReadOnly } from '../../shared/roles.ts';
import { Answer } from './attempt-timeline.tsx';
import { durationInWords } from './chart.ts';
import { Panel, SentRequest } from './panel.tsx';
import { useShownWebhook } from './shown-webhook.ts';

/** Sends a sample of the first event type that the webhook subscribes to, or of a chosen one. */
export const SendTestButton = ({ onTest }: { onTest: (type: EventType) => void }) => {
  const { data: me } = useMe();
  const { integration, actions } = useShownWebhook();
  const isSubscribed = (type: EventType) => integration.settings.actions[type];
  const subscribed = EVENT_TYPES.filter(isSubscribed);
  const others = EVENT_TYPES.filter((type) => !isSubscribed(type));
  if (whyReadOnly(me) !== undefined) return <AdminButton>Send test</AdminButton>;
  const itemOf = (type: EventType) => ({ id: type, text: type });
  return (
    <ButtonDropdown
      variant="primary"
      loading={actions.test.isPending}
      loadingText="Waiting for your endpoint"
      mainAction={{ text: 'Send test', onClick: () => onTest(subscribed[0] ?? 'message.received') }}
      ariaLabel="Send a test of another event type"
      items={[
        { text: 'Subscribed', items: subscribed.map(itemOf) },
        { text: 'Not subscribed', items: others.map(itemOf) },
      ].filter(({ items }) => items.length > 0)}
      onItemClick={({ detail }) => onTest(detail.id as EventType)}
    />
  );
};

/** The request of a test, byte for byte, and the response to it. */
export const TestPanel = ({ test }: { test: WebhookTest }) => {
  const { attempt, eventType, request } = test;
  const isDelivered = attempt.outcome === 'delivered';
  const { what, advice } = adviceFor(attempt);
  return (
    <Panel header={`Test: ${eventType}`}>
      <div className="panel">
        <Alert
          type={isDelivered ? 'success' : 'error'}
          header={`${capitalised(what)} (${durationInWords(attempt.durationMs)})`}
          statusIconAriaLabel={isDelivered ? 'Confirmed' : 'Not confirmed'}
        >
          {isDelivered ? 'The sample is confirmed. A test never changes the webhook.' : advice}
          {attempt.code !== undefined && <div className="quiet">{attempt.code}</div>}
        </Alert>
        <Answer attempt={attempt} isOpen />
        <SentRequest url={request.url} headers={request.headers} body={request.body} />
      </div>
    </Panel>
  );
};
