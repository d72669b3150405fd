import { Button, CopyToClipboard, ToggleButton } from '@cloudscape-design/components';
import { useMemo, useState } from 'react';
import { beginningOf, indentedJson, jsonParts, sizeInWords, visibleText } from './shown-text.ts';

/**
 * The body of a request or a response. It is always shown as text, isolated from the text around
 * it, and shortened while it is long. The copy button copies the original.
 */
export const ForeignText = ({ text, name }: { text: string; name: string }) => {
  const [isAsSent, setIsAsSent] = useState(false);
  const [isWhole, setIsWhole] = useState(false);
  const indented = useMemo(() => indentedJson(text), [text]);
  const chosen = isAsSent ? text : (indented ?? text);
  const beginning = beginningOf(chosen);
  const isShort = !beginning.isCut;
  const isCut = !isShort && !isWhole;
  const shown = isCut ? beginning.shown : chosen;
  return (
    <div className="foreign">
      <div className="foreign-head">
        <span className="quiet">{sizeInWords(text)}</span>
        <span className="foreign-tools">
          {indented !== undefined && indented !== text && (
            <ToggleButton
              variant="normal"
              pressed={isAsSent}
              onChange={({ detail }) => setIsAsSent(detail.pressed)}
            >
              As sent
            </ToggleButton>
          )}
          <CopyToClipboard
            variant="icon"
            textToCopy={text}
            copyButtonAriaLabel={`Copy: ${name}`}
            copySuccessText="Copied"
            copyErrorText="Not copied"
          />
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard can scroll it. */}
      <section className="foreign-text" dir="ltr" aria-label={name} tabIndex={0}>
        <pre>
          {indented !== undefined && isShort ? <Coloured text={shown} /> : visibleText(shown)}
          {isCut && '…'}
        </pre>
      </section>
      {!isShort && (
        <Button variant="inline-link" onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? 'Show the beginning' : `Show all ${sizeInWords(text)}`}
        </Button>
      )}
    </div>
  );
};

const Coloured = ({ text }: { text: string }) =>
  jsonParts(text).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity.
    <span key={index} className={`json-${part.kind}`}>
      {visibleText(part.text)}
    </span>
  ));
