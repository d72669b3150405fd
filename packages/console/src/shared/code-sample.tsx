import type { CodeViewProps } from '@cloudscape-design/code-view';
import CodeView from '@cloudscape-design/code-view/code-view';
import { CopyToClipboard } from '@cloudscape-design/components';

interface CodeSampleProps {
  readonly code: string;
  readonly highlight: NonNullable<CodeViewProps['highlight']>;
  /** The names of the code and of the button for screen readers. */
  readonly label: string;
  readonly copyLabel: string;
}

export const CodeSample = ({ code, highlight, label, copyLabel }: CodeSampleProps) => (
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
