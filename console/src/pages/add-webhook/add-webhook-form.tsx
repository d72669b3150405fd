import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import Form from '@cloudscape-design/components/form';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { createIntegration, createKeyring } from '../../api/changes.ts';
import { formErrors, NO_ERRORS } from '../../api/field-errors.ts';
import { QUERIES } from '../../api/reads.ts';
import type { Integration } from '../../api/resources.ts';
import { useApi } from '../../console-context.ts';
import { AdminButton } from '../../shared/admin-button.tsx';
import { EndpointField } from '../../shared/endpoint-field.tsx';
import { EventChoice } from '../../shared/event-choice.tsx';
import { FatalErrorChoice } from '../../shared/fatal-error-choice.tsx';
import { FormAlert } from '../../shared/form-alert.tsx';
import { settingsOf } from '../../shared/webhook-draft.ts';
import { PLACES } from '../../shell/places.ts';
import { useStoredDraft } from './stored-draft.ts';

const FIELDS = [
  '/config/baseUrl',
  '/config/webhookSecret',
  '/settings/actions',
  '/settings/onFatalError',
] as const;

export const AddWebhookForm = ({
  account,
  onAdded,
}: {
  account: string;
  onAdded: (integration: Integration) => void;
}) => {
  const api = useApi();
  const queries = useQueryClient();
  const [draft, setDraft, forgetDraft] = useStoredDraft(account);
  const [keyFor] = useState(() => createKeyring(() => crypto.randomUUID()));
  const adding = useMutation({
    mutationFn: () => {
      const settings = settingsOf(draft);
      return createIntegration(api, account, { settings, key: keyFor(settings) });
    },
    onSuccess: ({ body }) => {
      forgetDraft();
      void queries.invalidateQueries({ queryKey: QUERIES.integrations(account) });
      onAdded(body);
    },
  });
  const { fields, others } = adding.error ? formErrors(adding.error, FIELDS) : NO_ERRORS;
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!adding.isPending) adding.mutate();
  };
  return (
    <form onSubmit={save} noValidate>
      <Form
        actions={
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" href={PLACES.integrations(account)} onClick={forgetDraft}>
              Cancel
            </Button>
            <AdminButton variant="primary" formAction="submit" loading={adding.isPending}>
              Save
            </AdminButton>
          </SpaceBetween>
        }
      >
        <FormAlert header="The webhook was not added" errors={others} />
        <Container>
          <SpaceBetween size="l">
            <EndpointField
              value={draft.baseUrl}
              onChange={(baseUrl) => setDraft({ ...draft, baseUrl })}
              errorText={fields['/config/baseUrl']}
            />
            <EventChoice
              choice={draft.actions}
              onChange={(actions) => setDraft({ ...draft, actions })}
              errorText={fields['/settings/actions']}
            />
            <ExpandableSection
              headerText="Refused events"
              headerDescription={
                draft.onFatalError === 'pause'
                  ? 'When the endpoint refuses an event, the webhook pauses.'
                  : 'When the endpoint refuses an event, the webhook continues with the other events.'
              }
            >
              <FatalErrorChoice
                choice={draft.onFatalError}
                onChange={(onFatalError) => setDraft({ ...draft, onFatalError })}
                errorText={fields['/settings/onFatalError']}
              />
            </ExpandableSection>
            <ExpandableSection
              headerText="A signing secret of your own"
              headerDescription="Without one the service makes one."
            >
              <FormField
                stretch
                label="Signing secret"
                description="16 to 128 printable ASCII characters."
                errorText={fields['/config/webhookSecret']}
              >
                <Input
                  value={draft.secret}
                  onChange={({ detail }) => setDraft({ ...draft, secret: detail.value })}
                  type="password"
                  autoComplete="new-password"
                />
              </FormField>
            </ExpandableSection>
          </SpaceBetween>
        </Container>
      </Form>
    </form>
  );
};
