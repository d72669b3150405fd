import { StatusIndicator } from '@cloudscape-design/components';
import type { OutcomeInWords } from './outcome.ts';

/** An outcome with its sign, its words and its detail. */
export const OutcomeSign = ({ outcome }: { outcome: OutcomeInWords }) => (
  <StatusIndicator type={outcome.sign}>
    {outcome.words}
    {outcome.detail !== undefined && <span className="outcome-detail"> {outcome.detail}</span>}
  </StatusIndicator>
);
