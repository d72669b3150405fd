import { Fragment } from 'react';

/** Text with an address. It breaks after a "/", and inside a word only if the word fills a line. */
export const Breakable = ({ children }: { children: string }) => (
  <span className="address">
    {children.split(/(?<=\/)/).map((part, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity.
      <Fragment key={index}>
        {part}
        <wbr />
      </Fragment>
    ))}
  </span>
);
