import { VERIFICATION_SAMPLES } from 'virtual:verification-samples';
import highlightGo from '@cloudscape-design/code-view/highlight/go';
import highlightJava from '@cloudscape-design/code-view/highlight/java';
import highlightJavascript from '@cloudscape-design/code-view/highlight/javascript';
import highlightPhp from '@cloudscape-design/code-view/highlight/php';
import highlightPython from '@cloudscape-design/code-view/highlight/python';
import highlightRuby from '@cloudscape-design/code-view/highlight/ruby';
import highlightTypescript from '@cloudscape-design/code-view/highlight/typescript';
import { Tabs } from '@cloudscape-design/components';
import { CodeSample } from './code-sample.tsx';

const HIGHLIGHT = {
  javascript: highlightJavascript,
  typescript: highlightTypescript,
  python: highlightPython,
  go: highlightGo,
  java: highlightJava,
  ruby: highlightRuby,
  php: highlightPhp,
};

export const ReceiverSamples = () => (
  <Tabs
    ariaLabel="Framework"
    tabs={VERIFICATION_SAMPLES.map(({ name, title, language, code }) => ({
      id: name,
      label: title,
      content: (
        <CodeSample
          code={code}
          highlight={HIGHLIGHT[language]}
          label={`Verification with ${title}`}
          copyLabel={`Copy the sample for ${title}`}
        />
      ),
    }))}
  />
);
