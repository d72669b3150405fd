import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type FormEvent, useState } from 'react';
import { changeIntegration, type WebhookSettings } from '../../api/changes.ts';
import { formErrors, NO_ERRORS } from '../../api/field-errors.ts';
import { ApiProblem } from '../../api/problem.ts';
import { useMe } from '../../api/reads.ts';
import type { Integration } from '../../api/resources.ts';
import { type Notice, tell } from '../../shell/notices.ts';
import { AdminButton } from '../admin-button.tsx';
import { EndpointField } from '../endpoint-field.tsx';
import { EventChoice } from '../event-choice.tsx';
import { FatalErrorChoice } from '../fatal-error-choice.tsx';
import { FormAlert } from '../form-alert.tsx';
import { whyReadOnly } from '../roles.ts';
import { changesOf, draftOf } from '../webhook-draft.ts';
import { useChange } from './use-change.ts';
import type { WebhookSettingsProps } from './webhook-settings.tsx';

/** An answer that warns was saved, too. */
const savedNotice = ({ warnings = [] }: Integration): Notice =>
  warnings.length === 0
    ? { type: 'success', text: 'The settings are saved.' }
    : {
        type: 'warning',
        text: `The settings are saved. About the address: ${warnings.map(({ detail }) => detail).join('; ')}.`,
      };

const FIELDS = ['/config/baseUrl', '/settings/actions', '/settings/onFatalError'] as const;

/** Where events are sent, which, and what a refused event does to the others. */
export const EndpointSettings = (props: WebhookSettingsProps) => {
  const { integration, etag } = props;
  // What the draft changes: the settings as they were when the person began, whatever is read since.
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
    props,
    (api, id, wish: Partial<WebhookSettings>) =>
      changeIntegration(api, id, { changes: wish, etag: base.etag }),
    ({ body, etag: changedTag }) => {
      setBase({ integration: body, etag: changedTag });
      setDraft(draftOf(body));
      tell(savedNotice(body));
    },
  );
  if (!hasChanges && etag !== base.etag && !changing.isPending) startOver();
  const { fields, others } = changing.error ? formErrors(changing.error, FIELDS) : NO_ERRORS;
  const isOutdated =
    changing.error instanceof ApiProblem && changing.error.kind === 'precondition-failed';
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!changing.isPending) changing.mutate(changes);
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
                  {isOutdated ? 'Take the settings as they are now' : 'Discard changes'}
                </Button>
              )}
              <AdminButton
                variant="primary"
                formAction="submit"
                loading={changing.isPending}
                disabled={!hasChanges}
                disabledReason="Nothing is changed."
              >
                Save
              </AdminButton>
            </SpaceBetween>
          </Box>
        }
      >
        <FormAlert header="The settings were not saved" errors={others} />
        <SpaceBetween size="l">
          <EndpointField
            value={draft.baseUrl}
            onChange={(baseUrl) => setDraft({ ...draft, baseUrl })}
            errorText={fields['/config/baseUrl']}
            isReadOnly={isReadOnly}
          />
          <EventChoice
            choice={draft.actions}
            onChange={(actions) => setDraft({ ...draft, actions })}
            errorText={fields['/settings/actions']}
            isReadOnly={isReadOnly}
          />
          <FatalErrorChoice
            choice={draft.onFatalError}
            onChange={(onFatalError) => setDraft({ ...draft, onFatalError })}
            errorText={fields['/settings/onFatalError']}
            isReadOnly={isReadOnly}
          />
        </SpaceBetween>
      </Container>
    </form>
  );
};
