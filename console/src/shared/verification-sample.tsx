import highlightCsharp from '@cloudscape-design/code-view/highlight/csharp';
import highlightGo from '@cloudscape-design/code-view/highlight/go';
import highlightJava from '@cloudscape-design/code-view/highlight/java';
import highlightJavascript from '@cloudscape-design/code-view/highlight/javascript';
import highlightPhp from '@cloudscape-design/code-view/highlight/php';
import highlightPython from '@cloudscape-design/code-view/highlight/python';
import highlightRuby from '@cloudscape-design/code-view/highlight/ruby';
import { Tabs } from '@cloudscape-design/components';
import { CodeSample } from './code-sample.tsx';
import { VERIFICATION_SAMPLES } from './verification-samples.ts';

const HIGHLIGHT = {
  node: highlightJavascript,
  python: highlightPython,
  go: highlightGo,
  java: highlightJava,
  ruby: highlightRuby,
  php: highlightPhp,
  csharp: highlightCsharp,
};

export const VerificationSamples = () => (
  <Tabs
    ariaLabel="Language"
    tabs={VERIFICATION_SAMPLES.map(({ id, language, code }) => ({
      id,
      label: language,
      content: (
        <CodeSample
          code={code}
          highlight={HIGHLIGHT[id]}
          label={`Verification in ${language}`}
          copyLabel={`Copy the ${language} sample`}
        />
      ),
    }))}
  />
);
