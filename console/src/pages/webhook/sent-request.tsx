import type { ReactNode } from 'react';
import { ForeignText } from './foreign-text.tsx';
import { visibleText } from './visible-text.ts';

/** A request as it was sent: its first line, its headers, its body. */
export const SentRequest = ({
  url,
  headers,
  note,
  body,
}: {
  url: string;
  headers: Readonly<Record<string, string>>;
  note?: ReactNode;
  body: string | undefined;
}): ReactNode => (
  <section aria-labelledby="what-was-sent">
    <h3 id="what-was-sent">What was sent</h3>
    <dl className="request-head">
      <div>
        <dt>POST</dt>
        <dd>{visibleText(url)}</dd>
      </div>
      {Object.entries(headers).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{visibleText(value)}</dd>
        </div>
      ))}
    </dl>
    {note}
    {body === undefined ? (
      <p className="quiet">The log no longer has the body.</p>
    ) : (
      <ForeignText text={body} name="Body" />
    )}
  </section>
);
