import Tabs from '@cloudscape-design/components/tabs';
import { useState } from 'react';
import type { EventType, Integration, WebhookTest } from '../../api/resources.ts';
import { StatusSign } from '../../shared/status-sign.tsx';
import { Page } from '../../shell/page.tsx';
import { DeliveriesTab } from './deliveries-tab.tsx';
import { DeliveryPanel } from './delivery-panel.tsx';
import { SendTestButton } from './send-test-button.tsx';
import { WebhookSettings } from './settings/webhook-settings.tsx';
import { TestPanel } from './test-panel.tsx';
import { Trouble } from './trouble.tsx';
import { useWebhookSearch } from './use-webhook-search.ts';
import { VerifyTab } from './verify-tab.tsx';
import { WaitingTab } from './waiting-tab.tsx';
import './webhook.css';
import './statistics-chart.css';
import './delivery-list.css';
import './panel.css';
import './foreign-text.css';
import { useWebhookActions } from './webhook-actions.ts';
import { useLiveStatistics } from './webhook-queries.ts';
import { TABS } from './webhook-search.ts';
import { WebhookStatistics } from './webhook-statistics.tsx';

/** The page of a webhook that is there. */
export const WebhookView = ({
  account,
  id,
  integration,
  etag,
}: {
  account: string;
  id: string;
  integration: Integration;
  etag: string | undefined;
}) => {
  const [search, change] = useWebhookSearch();
  const [test, setTest] = useState<WebhookTest>();
  const statistics = useLiveStatistics(id, integration.status);
  const actions = useWebhookActions(id);
  const { event } = search;
  const sendTest = (type: EventType): void =>
    actions.test.mutate(type, {
      onSuccess: (made) => {
        setTest(made);
        change({ event: undefined });
      },
    });
  const testButton = (
    <SendTestButton
      integration={integration}
      isTesting={actions.test.isPending}
      onTest={sendTest}
    />
  );
  const closePanel = (): void => {
    setTest(undefined);
    if (event !== undefined) change({ event: undefined });
  };
  const panel =
    event !== undefined ? (
      <DeliveryPanel
        key={event}
        id={id}
        event={event}
        integration={integration}
        resend={actions.resend}
      />
    ) : (
      test && <TestPanel key={test.delivery} test={test} />
    );
  const waiting = statistics.data?.pendingEvents;
  return (
    <Page
      title={integration.config.baseUrl}
      info={<StatusSign status={integration.status} />}
      description={subscriptionsOf(integration)}
      actions={testButton}
      side={panel && { panel, onClose: closePanel }}
    >
      <div className="webhook">
        <Trouble
          account={account}
          id={id}
          integration={integration}
          waiting={waiting}
          actions={actions}
        />
        <WebhookStatistics query={statistics} />
        <Tabs
          activeTabId={search.tab ?? 'deliveries'}
          onChange={({ detail }) =>
            change({ tab: TABS.find((tab) => tab === detail.activeTabId), event: undefined })
          }
          tabs={[
            {
              id: 'deliveries',
              label: 'Deliveries',
              content: <DeliveriesTab id={id} testButton={testButton} />,
            },
            {
              id: 'waiting',
              label: waiting ? `Waiting (${waiting.toLocaleString()})` : 'Waiting',
              content: <WaitingTab id={id} resend={actions.resend} />,
            },
            { id: 'verify', label: 'Verify', content: <VerifyTab /> },
            {
              id: 'settings',
              label: 'Settings',
              content: <WebhookSettings account={account} integration={integration} etag={etag} />,
            },
          ]}
        />
      </div>
    </Page>
  );
};

const subscriptionsOf = ({ settings }: Integration): string => {
  const wanted = Object.entries(settings.actions).flatMap(([type, isOn]) => (isOn ? [type] : []));
  return wanted.length === 0 ? 'No event type is switched on.' : `Receives ${wanted.join(', ')}`;
};
