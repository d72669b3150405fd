import { SplitPanel, type SplitPanelProps } from '@cloudscape-design/components';
import type { ReactNode } from 'react';
import { ForeignText } from './foreign-text.tsx';
import { visibleText } from './shown-text.ts';

type PanelProps = Pick<SplitPanelProps, 'header' | 'headerActions' | 'children'>;

export const Panel = (props: PanelProps) => (
  <SplitPanel
    {...props}
    closeBehavior="hide"
    hidePreferencesButton
    i18nStrings={{
      closeButtonAriaLabel: 'Close the panel',
      openButtonAriaLabel: 'Open the panel',
      resizeHandleAriaLabel: 'Resize the panel',
      resizeHandleTooltipText: 'Drag or use the arrow keys',
    }}
  />
);

interface SentRequestProps {
  /** Where to, if that is known. */
  readonly url?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly note?: ReactNode;
  readonly body: string | undefined;
}

/** A request as it was sent: its address, headers and body. */
export const SentRequest = ({ url, headers, note, body }: SentRequestProps) => (
  <section aria-labelledby="what-was-sent">
    <h3 id="what-was-sent">What was sent</h3>
    <dl className="request-head">
      {Object.entries({ ...(url !== undefined && { POST: url }), ...headers }).map(
        ([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{visibleText(value)}</dd>
          </div>
        ),
      )}
    </dl>
    {note}
    {body === undefined ? (
      <p className="quiet">The log no longer has the body.</p>
    ) : (
      <ForeignText text={body} name="Body" />
    )}
  </section>
);
