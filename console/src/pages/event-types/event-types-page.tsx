import CodeView from '@cloudscape-design/code-view/code-view';
import highlightJson from '@cloudscape-design/code-view/highlight/json';
import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useEventTypes } from '../../api/reads.ts';
import type { EventTypeEntry } from '../../api/resources.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { Page } from '../../shell/page.tsx';
import { sampleBody } from './sample-body.ts';

export const EventTypesPage = () => (
  <Page
    title="Event catalogue"
    description="What a webhook can receive. Each event is one signed POST with a JSON body."
    maxWidth={960}
  >
    <Loaded query={useEventTypes()} what="The event types">
      {(types) => (
        <SpaceBetween size="m">
          {types.map((type) => (
            <EventTypeCard key={type.name} type={type} />
          ))}
        </SpaceBetween>
      )}
    </Loaded>
  </Page>
);

const EventTypeCard = ({ type }: { type: EventTypeEntry }) => {
  const body = sampleBody(type);
  return (
    <Container>
      <Box variant="h2" padding="n">
        {type.name}
      </Box>
      <Box color="text-body-secondary" padding={{ top: 'xxs', bottom: 'xs' }}>
        {type.description}
      </Box>
      <ExpandableSection headerText="Sample body" headingTagOverride="h3">
        <CodeView
          content={body}
          highlight={highlightJson}
          wrapLines
          ariaLabel={`A body of ${type.name}`}
          actions={
            <CopyToClipboard
              variant="icon"
              copyButtonAriaLabel={`Copy the body of ${type.name}`}
              copySuccessText="Copied"
              copyErrorText="Your browser did not copy"
              textToCopy={body}
            />
          }
        />
      </ExpandableSection>
    </Container>
  );
};
