import { VERIFICATION_SAMPLES } from 'virtual:verification-samples';
import highlightGo from '@cloudscape-design/code-view/highlight/go';
import highlightJava from '@cloudscape-design/code-view/highlight/java';
import highlightJavascript from '@cloudscape-design/code-view/highlight/javascript';
import highlightPhp from '@cloudscape-design/code-view/highlight/php';
import highlightPython from '@cloudscape-design/code-view/highlight/python';
import highlightRuby from '@cloudscape-design/code-view/highlight/ruby';
import highlightTypescript from '@cloudscape-design/code-view/highlight/typescript';
import { FormField, Select, SpaceBetween } from '@cloudscape-design/components';
import { useState } from 'react';
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

const FRAMEWORKS = VERIFICATION_SAMPLES.map(({ name, title }) => ({ value: name, label: title }));

export const ReceiverSamples = () => {
  const [framework, choose] = useState(FRAMEWORKS[0]?.value);
  const sample = VERIFICATION_SAMPLES.find(({ name }) => name === framework);
  return (
    <SpaceBetween size="xs">
      <FormField label="Framework">
        <Select
          options={FRAMEWORKS}
          selectedOption={FRAMEWORKS.find(({ value }) => value === framework) ?? null}
          onChange={({ detail }) => choose(detail.selectedOption.value)}
        />
      </FormField>
      {sample && (
        <CodeSample
          code={sample.code}
          highlight={HIGHLIGHT[sample.language]}
          label={`Verification with ${sample.title}`}
          copyLabel={`Copy the sample for ${sample.title}`}
        />
      )}
    </SpaceBetween>
  );
};
