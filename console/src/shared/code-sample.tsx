import type { CodeViewProps } from '@cloudscape-design/code-view';
import CodeView from '@cloudscape-design/code-view/code-view';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';

/** Code with a button that copies it. */
export const CodeSample = ({
  code,
  highlight,
  label,
  copyLabel,
}: {
  code: string;
  highlight: NonNullable<CodeViewProps['highlight']>;
  /** The names of the code and of the button for screen readers. */
  label: string;
  copyLabel: string;
}) => (
  <CodeView
    content={code}
    highlight={highlight}
    wrapLines
    ariaLabel={label}
    actions={
      <CopyToClipboard
        variant="icon"
        copyButtonAriaLabel={copyLabel}
        copySuccessText="Copied"
        copyErrorText="Your browser did not copy"
        textToCopy={code}
      />
    }
  />
);
