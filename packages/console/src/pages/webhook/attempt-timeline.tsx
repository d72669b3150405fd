import { Button } from '@cloudscape-design/components';
import { useState } from 'react';
import { type Attempt, adviceFor } from '../../api/resources.ts';
import { ExplanationLink } from '../../shared/explanation-link.tsx';
import { Instant } from '../../shared/instant.tsx';
import { attemptInWords, type Next, TRIGGER_WORDS } from '../../shared/outcome.ts';
import { OutcomeSign } from '../../shared/outcome-sign.tsx';
import { Sign } from '../../shared/sign.tsx';
import { durationInWords } from './chart.ts';
import { ForeignText } from './foreign-text.tsx';

const SHOWN_AT_FIRST = 5;

interface TimelineProps {
  readonly attempts: readonly Attempt[];
  readonly next: Next | undefined;
}

/** The next step and the attempts of a delivery, newest first. */
export const AttemptTimeline = ({ attempts, next }: TimelineProps) => {
  const [areAllShown, setAreAllShown] = useState(false);
  const newestFirst = attempts.toReversed();
  const shown = areAllShown ? newestFirst : newestFirst.slice(0, SHOWN_AT_FIRST);
  const hidden = newestFirst.length - shown.length;
  return (
    <>
      <ol className="timeline" aria-label="Attempts, newest first">
        {next !== undefined && (
          <li className="timeline-next">
            <div className="timeline-head">
              <Sign type={next.sign}>{next.words}</Sign>
              {next.at !== undefined && (
                <span className="quiet">
                  Next attempt <Instant at={next.at} hasDistance />
                </span>
              )}
            </div>
            <p className="quiet">{next.sentence}</p>
          </li>
        )}
        {shown.map((attempt, index) => (
          <li key={attempt.number}>
            <AttemptEntry attempt={attempt} isLatest={index === 0} />
          </li>
        ))}
      </ol>
      {hidden > 0 && (
        <Button variant="inline-link" onClick={() => setAreAllShown(true)}>
          Show {hidden} earlier {hidden === 1 ? 'attempt' : 'attempts'}
        </Button>
      )}
    </>
  );
};

const AttemptEntry = ({ attempt, isLatest }: { attempt: Attempt; isLatest: boolean }) => (
  <>
    <div className="timeline-head">
      <OutcomeSign outcome={attemptInWords(attempt)} />
      <span className="quiet">
        <Instant at={attempt.startedAt} /> · {durationInWords(attempt.durationMs)}
      </span>
    </div>
    <div className="quiet">
      Attempt {attempt.number} · {TRIGGER_WORDS[attempt.trigger]}
      {attempt.code !== undefined && ` · ${attempt.code}`}
    </div>
    {isLatest && attempt.outcome !== 'delivered' && <Advice attempt={attempt} />}
    <Answer attempt={attempt} isOpen={isLatest} />
  </>
);

const Advice = ({ attempt }: { attempt: Attempt }) => {
  const { advice, page } = adviceFor(attempt);
  return (
    <p className="advice">
      {advice} <ExplanationLink page={page} />
    </p>
  );
};

export const Answer = ({ attempt, isOpen }: { attempt: Attempt; isOpen: boolean }) => {
  if (attempt.statusCode === undefined || attempt.response === undefined) return null;
  if (attempt.response === '') return <p className="quiet">The answer had no body.</p>;
  return (
    <details open={isOpen}>
      <summary>Answer</summary>
      <ForeignText text={attempt.response} name={`Answer to attempt ${attempt.number}`} />
    </details>
  );
};
