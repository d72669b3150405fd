import highlightJson from '@cloudscape-design/code-view/highlight/json';
import { Box, Container, ExpandableSection, SpaceBetween } from '@cloudscape-design/components';
import { useEventTypes } from '../../api/reads.ts';
import type { EventTypeEntry } from '../../api/resources.ts';
import { CodeSample } from '../../shared/code-sample.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { Page } from '../../shell/page.tsx';
import { membersOf } from './members.ts';

export const EventTypesPage = () => (
  <Page
    title="Event catalogue"
    description="The events that a webhook can receive. Each event is one signed POST with a JSON body."
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

const EventTypeCard = ({ type }: { type: EventTypeEntry }) => (
  <Container>
    <Box variant="h2" padding="n">
      {type.name}
    </Box>
    <Box color="text-body-secondary" padding={{ top: 'xxs', bottom: 'xs' }}>
      {type.description} Version {type.version}.
    </Box>
    <ExpandableSection headerText="Members of data" headingTagOverride="h3">
      <dl className="members">
        {membersOf(type.schema).map(({ id, type: kind, isRequired, meaning }) => (
          <div key={id}>
            <dt>
              <Box variant="code">{id}</Box> {kind}
              {!isRequired && ', not always present'}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </ExpandableSection>
    <ExpandableSection headerText="Sample body" headingTagOverride="h3">
      <CodeSample
        code={sampleBody(type)}
        highlight={highlightJson}
        label={`A body of ${type.name}`}
        copyLabel={`Copy the body of ${type.name}`}
      />
    </ExpandableSection>
    {type.changes.length > 0 && (
      <ExpandableSection headerText="What changed" headingTagOverride="h3">
        <ul className="facts">
          {type.changes.map((change, index) => (
            <li key={change}>
              Version {index + 2}: {change}
            </li>
          ))}
        </ul>
      </ExpandableSection>
    )}
  </Container>
);

/** The body of a delivery with the sample of an event type, indented for reading. */
const sampleBody = ({ name, sample }: EventTypeEntry): string =>
  JSON.stringify(
    {
      '@context': '/contexts/WebhookDelivery.jsonld',
      '@type': 'WebhookDelivery',
      id: '/integrations/8Fq2LmZ0aBcD/deliveries/evt_01JD8Q',
      webHook: '/integrations/8Fq2LmZ0aBcD',
      action: name,
      timestamp: '2026-11-20T12:00:00.000Z',
      data: sample,
    },
    undefined,
    2,
  );
