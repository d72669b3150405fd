import Button from '@cloudscape-design/components/button';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import ToggleButton from '@cloudscape-design/components/toggle-button';
import { type ReactNode, useMemo, useState } from 'react';
import { indentedJson } from './indented-json.ts';
import { jsonParts } from './json-parts.ts';
import { beginningOf, sizeInWords, visibleText } from './visible-text.ts';

/**
 * Text that others wrote: a body that was sent, an answer that came back. Shown as text whatever it
 * is, apart from the text around it, cut while it is long. What is copied is the text itself.
 */
export const ForeignText = ({ text, name }: { text: string; name: string }): ReactNode => {
  const [isAsSent, setIsAsSent] = useState(false);
  const [isWhole, setIsWhole] = useState(false);
  const indented = useMemo(() => indentedJson(text), [text]);
  const chosen = isAsSent ? text : (indented ?? text);
  const { shown, isCut } = isWhole ? { shown: chosen, isCut: false } : beginningOf(chosen);
  const isShort = beginningOf(chosen).isCut === false;
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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it by keyboard. */}
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

const Coloured = ({ text }: { text: string }): ReactNode =>
  jsonParts(text).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity.
    <span key={index} className={`json-${part.kind}`}>
      {visibleText(part.text)}
    </span>
  ));
