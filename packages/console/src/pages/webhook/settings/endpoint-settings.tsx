import { Box, Button, Container, Header, SpaceBetween } from '@cloudscape-design/components';
import { type FormEvent, useState } from 'react';
import { formErrors } from '../../../api/field-errors.ts';
import { ApiProblem } from '../../../api/problem.ts';
import { useMe } from '../../../api/reads.ts';
import type { Integration } from '../../../api/resources.ts';
import { AdminButton } from '../../../shared/admin-button.tsx';
import { FormAlert } from '../../../shared/form-alert.tsx';
import { HeaderFields } from '../../../shared/header-fields.tsx';
import { whyReadOnly } from '../../../shared/roles.ts';
import {
  changesOf,
  draftOf,
  repeatedHeader,
  type WebhookSettings,
} from '../../../shared/webhook-draft.ts';
import {
  DescriptionField,
  EndpointField,
  EventChoice,
  FatalErrorChoice,
  WEBHOOK_FIELDS,
} from '../../../shared/webhook-fields.tsx';
import { type Notice, tell } from '../../../shell/notices.ts';
import { changeSettings, useChange, useShownWebhook } from '../shown-webhook.ts';

/** A response with warnings was saved, too. */
const savedNotice = ({ warnings = [] }: Integration): Notice => {
  if (warnings.length === 0) return { type: 'success', text: 'The settings are saved.' };
  const about = warnings.map(({ detail }) => detail).join('; ');
  return { type: 'warning', text: `The settings are saved. Check the address: ${about}.` };
};

export const EndpointSettings = () => {
  const { integration, etag } = useShownWebhook();
  // The settings when the user began to edit, whatever is read later.
  const [base, setBase] = useState({ integration, etag });
  const [draft, setDraft] = useState(() => draftOf(integration));
  const isReadOnly = whyReadOnly(useMe().data) !== undefined;
  const changes = changesOf(draft, base.integration);
  const hasChanges = Object.keys(changes).length > 0;
  const startOver = () => {
    setBase({ integration, etag });
    setDraft(draftOf(integration));
    changing.reset();
  };
  const changing = useChange(
    (api, path, wish: Partial<WebhookSettings>) => changeSettings(api, path, wish, base.etag),
    ({ body, etag: changedTag }) => {
      setBase({ integration: body, etag: changedTag });
      setDraft(draftOf(body));
      tell(savedNotice(body));
    },
  );
  if (!hasChanges && etag !== base.etag && !changing.isPending) startOver();
  const { fields, others } = formErrors(changing.error, WEBHOOK_FIELDS);
  const form = { draft, onChange: setDraft, errors: fields, isReadOnly };
  const isOutdated =
    changing.error instanceof ApiProblem && changing.error.kind === 'precondition-failed';
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!changing.isPending && repeatedHeader(draft) === undefined) changing.mutate(changes);
  };
  return (
    <form onSubmit={save} noValidate>
      <Container
        header={<Header variant="h2">Endpoint and events</Header>}
        footer={
          <Box float="right">
            <SpaceBetween direction="horizontal" size="xs">
              {hasChanges && (
                <Button variant="link" onClick={startOver}>
                  {isOutdated ? 'Load the current settings' : 'Discard changes'}
                </Button>
              )}
              <AdminButton
                variant="primary"
                formAction="submit"
                loading={changing.isPending}
                disabled={!hasChanges}
                disabledReason="There are no changes."
              >
                Save
              </AdminButton>
            </SpaceBetween>
          </Box>
        }
      >
        <FormAlert header="The settings were not saved" errors={others} />
        <SpaceBetween size="l">
          <EndpointField {...form} />
          <DescriptionField {...form} />
          <EventChoice {...form} />
          <FatalErrorChoice {...form} />
          <HeaderFields {...form} />
        </SpaceBetween>
      </Container>
    </form>
  );
};
