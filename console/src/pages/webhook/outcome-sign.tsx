import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import type { OutcomeInWords } from './outcome.ts';

/** A sign with its words; the detail is quieter. */
export const OutcomeSign = ({ outcome }: { outcome: OutcomeInWords }): ReactNode => (
  <StatusIndicator type={outcome.sign}>
    {outcome.words}
    {outcome.detail !== undefined && <span className="outcome-detail"> {outcome.detail}</span>}
  </StatusIndicator>
);
