import type { OutcomeInWords } from './outcome.ts';
import { Sign } from './sign.tsx';

/** An outcome with its sign, its words and its detail. */
export const OutcomeSign = ({ outcome }: { outcome: OutcomeInWords }) => (
  <Sign type={outcome.sign}>
    {outcome.words}
    {outcome.detail !== undefined && <span className="outcome-detail"> {outcome.detail}</span>}
  </Sign>
);
