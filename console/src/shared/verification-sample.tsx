import type { CodeViewProps } from '@cloudscape-design/code-view';
import CodeView from '@cloudscape-design/code-view/code-view';
import highlightCsharp from '@cloudscape-design/code-view/highlight/csharp';
import highlightGo from '@cloudscape-design/code-view/highlight/go';
import highlightJava from '@cloudscape-design/code-view/highlight/java';
import highlightJavascript from '@cloudscape-design/code-view/highlight/javascript';
import highlightPhp from '@cloudscape-design/code-view/highlight/php';
import highlightPython from '@cloudscape-design/code-view/highlight/python';
import highlightRuby from '@cloudscape-design/code-view/highlight/ruby';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import Tabs from '@cloudscape-design/components/tabs';
import { VERIFICATION_SAMPLES, type VerificationSample } from './verification-samples.ts';

const HIGHLIGHT: Readonly<
  Record<VerificationSample['id'], NonNullable<CodeViewProps['highlight']>>
> = {
  node: highlightJavascript,
  python: highlightPython,
  go: highlightGo,
  java: highlightJava,
  ruby: highlightRuby,
  php: highlightPhp,
  csharp: highlightCsharp,
};

/** How a receiver verifies what it receives, in the language it is written in. */
export const VerificationSamples = () => (
  <Tabs
    ariaLabel="Language"
    tabs={VERIFICATION_SAMPLES.map(({ id, language, code }) => ({
      id,
      label: language,
      content: (
        <CodeView
          content={code}
          highlight={HIGHLIGHT[id]}
          wrapLines
          ariaLabel={`Verification in ${language}`}
          actions={
            <CopyToClipboard
              variant="icon"
              copyButtonAriaLabel={`Copy the ${language} sample`}
              copySuccessText="Copied"
              copyErrorText="Your browser did not copy"
              textToCopy={code}
            />
          }
        />
      ),
    }))}
  />
);
