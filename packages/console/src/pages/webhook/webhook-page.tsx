import { Box, Link, SpaceBetween, Tabs } from '@cloudscape-design/components';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { isMissing } from '../../api/problem.ts';
import type { EventType, Integration, WebhookTest } from '../../api/resources.ts';
import { Activity } from '../../shared/activity.tsx';
import { Breakable } from '../../shared/breakable.tsx';
import { Empty } from '../../shared/empty.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { inDigits } from '../../shared/locale.ts';
import { StatusBadge } from '../../shared/status-sign.tsx';
import { subscriptionInWords } from '../../shared/status-words.ts';
import { addressInWords, webhookName } from '../../shared/webhook-name.ts';
import { Page } from '../../shell/page.tsx';
import { PLACES } from '../../shell/places.ts';
import { DeliveriesTab } from './deliveries-tab.tsx';
import { DeliveryPanel } from './delivery-panel.tsx';
import { SendTestButton, TestPanel } from './send-test.tsx';
import { DeactivateOrDelete } from './settings/deactivate-or-delete.tsx';
import { EndpointSettings } from './settings/endpoint-settings.tsx';
import { SecretSettings } from './settings/secret-settings.tsx';
import { type ShownWebhook, ShownWebhookProvider } from './shown-webhook.ts';
import { WebhookStatistics } from './statistics-chart.tsx';
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
import { useLiveStatistics, useWebhook } from './webhook-queries.ts';
import { TABS } from './webhook-search.ts';

export const WebhookPage = () => {
  const { account = '', id = '' } = useParams({ strict: false });
  const query = useWebhook(account, id);
  if (query.data !== undefined && !isMissing(query.error)) {
    const { body: integration, etag } = query.data;
    // Another webhook gets a page with a state of its own.
    return <WebhookView key={id} account={account} id={id} integration={integration} etag={etag} />;
  }
  return (
    <Page title="Webhook">
      <Loaded query={query} what="The webhook" missing={<Missing account={account} id={id} />}>
        {() => null}
      </Loaded>
    </Page>
  );
};

const Missing = ({ account, id }: { account: string; id: string }) => (
  <Empty title="This webhook does not exist">
    It was deleted, or it belongs to another organisation.
    <Box padding={{ top: 's' }}>
      <Link href={PLACES.integrations(account)}>All webhooks of {account}</Link> ·{' '}
      <Link href={PLACES.activityOf(account, id)}>Activity of this webhook</Link>
    </Box>
  </Empty>
);

const WebhookView = (webhook: Omit<ShownWebhook, 'actions'>) => {
  const { id, integration } = webhook;
  const [{ event }, change] = useWebhookSearch();
  const [test, setTest] = useState<WebhookTest>();
  const statistics = useLiveStatistics(id, integration.status);
  const actions = useWebhookActions(id);
  const sendTest = (type: EventType): void =>
    actions.test.mutate(type, {
      onSuccess: (made) => {
        setTest(made);
        change({ event: undefined });
      },
    });
  const closePanel = (): void => {
    setTest(undefined);
    if (event !== undefined) change({ event: undefined });
  };
  const panel =
    event !== undefined ? (
      <DeliveryPanel key={event} event={event} />
    ) : (
      test && <TestPanel key={test.delivery} test={test} />
    );
  const waiting = statistics.data?.pendingEvents;
  return (
    <ShownWebhookProvider value={{ ...webhook, actions }}>
      <Page
        title={webhookName(integration)}
        info={<StatusBadge status={integration.status} />}
        description={<Subscriptions {...integration} />}
        actions={<SendTestButton onTest={sendTest} />}
        side={panel && { panel, onClose: closePanel }}
      >
        <div className="webhook">
          <Trouble waiting={waiting} />
          <WebhookStatistics query={statistics} />
          <WebhookTabs id={id} waiting={waiting} />
        </div>
      </Page>
    </ShownWebhookProvider>
  );
};

const WebhookTabs = ({ id, waiting }: { id: string; waiting: number | undefined }) => {
  const [{ tab: activeTabId = 'deliveries' }, change] = useWebhookSearch();
  return (
    <Tabs
      activeTabId={activeTabId}
      onChange={({ detail }) =>
        change({ tab: TABS.find((tab) => tab === detail.activeTabId), event: undefined })
      }
      tabs={[
        { id: 'deliveries', label: 'Deliveries', content: <DeliveriesTab /> },
        {
          id: 'waiting',
          label: waiting ? `Waiting (${inDigits(waiting)})` : 'Waiting',
          content: <WaitingTab />,
        },
        { id: 'activity', label: 'Activity', content: <WebhookActivity id={id} /> },
        { id: 'verify', label: 'Verify', content: <VerifyTab /> },
        { id: 'settings', label: 'Settings', content: <Settings /> },
      ]}
    />
  );
};

const WebhookActivity = ({ id }: { id: string }) => {
  const [{ kind }, change] = useWebhookSearch();
  return (
    <Activity
      filter={{ integration: id, kind }}
      onFilter={(filter) => change({ kind: filter.kind })}
    />
  );
};

/** Admins can change the settings, members can read them. */
const Settings = () => (
  <SpaceBetween size="l">
    <EndpointSettings />
    <SecretSettings />
    <DeactivateOrDelete />
  </SpaceBetween>
);

/** With the address, unless that is the title. */
const Subscriptions = ({ active, description, config, settings }: Integration) => {
  const all = subscriptionInWords(settings, Number.POSITIVE_INFINITY);
  const words = all.charAt(0).toLowerCase() + all.slice(1);
  return (
    <>
      {description !== undefined && <Breakable>{`${addressInWords(config.baseUrl)}: `}</Breakable>}
      {active ? `Receives ${words}` : `Receives nothing while it is inactive, then ${words}`}
    </>
  );
};
