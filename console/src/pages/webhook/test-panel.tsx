import Alert from '@cloudscape-design/components/alert';
import SplitPanel from '@cloudscape-design/components/split-panel';
import type { ReactNode } from 'react';
import type { WebhookTest } from '../../api/resources.ts';
import { Answer } from './attempt-timeline.tsx';
import { durationInWords } from './chart.ts';
import { findingOf } from './finding.ts';
import { PANEL_LABELS } from './panel-labels.ts';
import { SentRequest } from './sent-request.tsx';

/** What a test sent, to the byte, and what came back. */
export const TestPanel = ({ test }: { test: WebhookTest }): ReactNode => {
  const { attempt, eventType, request } = test;
  const isDelivered = attempt.outcome === 'delivered';
  const { what, advice } = findingOf(attempt);
  const sentence = what.charAt(0).toUpperCase() + what.slice(1);
  return (
    <SplitPanel
      header={`Test: ${eventType}`}
      closeBehavior="hide"
      hidePreferencesButton
      i18nStrings={PANEL_LABELS}
    >
      <div className="panel">
        <Alert
          type={isDelivered ? 'success' : 'error'}
          header={`${sentence} in ${durationInWords(attempt.durationMs)}`}
          statusIconAriaLabel={isDelivered ? 'Confirmed' : 'Not confirmed'}
        >
          {isDelivered ? 'The sample is confirmed. A test never changes the webhook.' : advice}
          {attempt.code !== undefined && <div className="quiet">{attempt.code}</div>}
        </Alert>
        <Answer attempt={attempt} isOpen />
        <SentRequest url={request.url} headers={request.headers} body={request.body} />
      </div>
    </SplitPanel>
  );
};
