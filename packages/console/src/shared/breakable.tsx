import { Fragment } from 'react';

/** An address or an event type. It breaks after a "/" or ".", and inside a word only if that fills a line. */
export const Breakable = ({ children }: { children: string }) => (
  <span className="address">
    {children.split(/(?<=[/.])/).map((part, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity.
      <Fragment key={index}>
        {part}
        <wbr />
      </Fragment>
    ))}
  </span>
);
