import { Box, Button, Container, Header, SpaceBetween } from '@cloudscape-design/components';
import { type FormEvent, useState } from 'react';
import { formErrors, isOutdated, warningsInWords } from '../../../api/field-errors.ts';
import { useMe } from '../../../api/reads.ts';
import { type Integration, SETTING_LABELS } from '../../../api/resources.ts';
import { AdminButton } from '../../../shared/admin-button.tsx';
import { differencesInWords } from '../../../shared/change-words.ts';
import { FormAlert } from '../../../shared/form-alert.tsx';
import { HeaderFields } from '../../../shared/header-fields.tsx';
import { instantInWords } from '../../../shared/instant-words.ts';
import { whyReadOnly } from '../../../shared/roles.ts';
import { changesOf, draftOf, labelsOf, refuseFaults } from '../../../shared/webhook-draft.ts';
import {
  DescriptionField,
  EndpointField,
  EventChoice,
  FatalErrorChoice,
  FilterField,
  InactiveChoice,
  type WebhookFormProps,
} from '../../../shared/webhook-fields.tsx';
import { type Notice, tell } from '../../../shell/notices.ts';
import { changeSettings, useChange, useShownWebhook } from '../shown-webhook.ts';

/** A response with warnings was saved, too. */
const savedNotice = ({ warnings = [] }: Integration): Notice => {
  if (warnings.length === 0) return { type: 'success', text: 'The settings are saved.' };
  const about = warningsInWords(warnings, SETTING_LABELS).join(' ');
  return { type: 'warning', text: `The settings are saved. Check them. ${about}` };
};

interface WantedChange {
  readonly changes: object;
  /** Of the read that the change is based on. */
  readonly etag: string | undefined;
}

/** What was saved after the user began to edit, and what becomes of it. */
const overtakenInWords = (before: Integration, now: Integration): readonly string[] => {
  const labels = differencesInWords(before, now).join(', ');
  const when = instantInWords(now.updatedAt, new Date());
  return [
    `This webhook was changed at ${when}, after you began to edit${labels && `: ${labels}`}.`,
    'Keep mine saves the fields that you changed, and leaves the others as they are now.',
  ];
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
    async (api, path, { changes: wanted, etag: ofRead }: WantedChange) => {
      refuseFaults(draft);
      return changeSettings(api, path, wanted, ofRead);
    },
    ({ body, etag: changedTag }) => {
      setBase({ integration: body, etag: changedTag });
      setDraft(draftOf(body));
      tell(savedNotice(body));
    },
  );
  if (!hasChanges && etag !== base.etag && !changing.isPending) startOver();
  const { fields, all } = formErrors(changing.error, labelsOf(draft));
  const form = { draft, onChange: setDraft, errors: fields, isReadOnly };
  const isOvertaken = isOutdated(changing.error);
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!changing.isPending) changing.mutate({ changes, etag: base.etag });
  };
  return (
    <form onSubmit={save} noValidate>
      <Container
        header={<Header variant="h2">Endpoint and events</Header>}
        footer={
          <>
            <FormAlert
              header="The settings were not saved"
              errors={isOvertaken ? overtakenInWords(base.integration, integration) : all}
              failure={changing.error}
              action={
                isOvertaken && (
                  <Button onClick={() => changing.mutate({ changes, etag })}>Keep mine</Button>
                )
              }
            />
            <Actions
              {...{ hasChanges, isOvertaken }}
              isSaving={changing.isPending}
              onStartOver={startOver}
            />
          </>
        }
      >
        <Settings {...form} isActive={integration.active} />
      </Container>
    </form>
  );
};

interface ActionsProps {
  readonly hasChanges: boolean;
  readonly isOvertaken: boolean;
  readonly isSaving: boolean;
  readonly onStartOver: () => void;
}

const Actions = ({ hasChanges, isOvertaken, isSaving, onStartOver }: ActionsProps) => (
  <Box float="right">
    <SpaceBetween direction="horizontal" size="xs">
      {hasChanges && (
        <Button variant="link" onClick={onStartOver}>
          {isOvertaken ? 'Load the current settings' : 'Discard changes'}
        </Button>
      )}
      <AdminButton
        variant="primary"
        formAction="submit"
        loading={isSaving}
        disabled={!hasChanges}
        disabledReason="There are no changes."
      >
        Save
      </AdminButton>
    </SpaceBetween>
  </Box>
);

const Settings = ({ isActive, ...form }: WebhookFormProps & { readonly isActive: boolean }) => (
  <SpaceBetween size="l">
    <EndpointField {...form} />
    <DescriptionField {...form} />
    <EventChoice {...form} />
    <FilterField {...form} />
    <FatalErrorChoice {...form} />
    {!isActive && (
      <InactiveChoice
        value={form.draft.whileInactive}
        onChange={(whileInactive) => form.onChange({ ...form.draft, whileInactive })}
        isReadOnly={form.isReadOnly}
      />
    )}
    <HeaderFields {...form} />
  </SpaceBetween>
);
