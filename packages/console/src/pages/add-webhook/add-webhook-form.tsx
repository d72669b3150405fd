import { Button, Container, Form, SpaceBetween } from '@cloudscape-design/components';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { formErrors } from '../../api/field-errors.ts';
import { createKeyring } from '../../api/idempotency-key.ts';
import { integrationsPath } from '../../api/paths.ts';
import { QUERIES, useAccountName } from '../../api/reads.ts';
import { type Integration, SETTING_LABELS } from '../../api/resources.ts';
import { useApi } from '../../console-context.ts';
import { AdminButton } from '../../shared/admin-button.tsx';
import { FormAlert } from '../../shared/form-alert.tsx';
import { FormSection } from '../../shared/form-section.tsx';
import { HeaderFields } from '../../shared/header-fields.tsx';
import {
  labelsOf,
  NEW_WEBHOOK,
  refuseFaults,
  repeatedHeader,
  settingsOf,
  type WebhookDraft,
} from '../../shared/webhook-draft.ts';
import {
  DescriptionField,
  EndpointField,
  EventChoice,
  FatalErrorChoice,
  FilterField,
  OwnSecretField,
  type WebhookFormProps,
} from '../../shared/webhook-fields.tsx';
import { windowStorage } from '../../shared/window-storage.ts';
import { PLACES } from '../../shell/places.ts';

interface FormProps {
  readonly onAdded: (integration: Integration) => void;
}

export const AddWebhookForm = ({ onAdded }: FormProps) => {
  const account = useAccountName();
  const [draft, setDraft, forgetDraft] = useStoredDraft(account);
  const adding = useAdding(account, (integration) => {
    forgetDraft();
    onAdded(integration);
  });
  const { fields, all } = formErrors(adding.error, labelsOf(draft));
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!adding.isPending) adding.mutate(draft);
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
        <Container>
          <Settings draft={draft} onChange={setDraft} errors={fields} />
        </Container>
        <FormAlert header="The webhook was not added" errors={all} failure={adding.error} />
      </Form>
    </form>
  );
};

const useAdding = (account: string, onAdded: FormProps['onAdded']) => {
  const api = useApi();
  const queries = useQueryClient();
  const [keyFor] = useState(() => createKeyring(() => crypto.randomUUID()));
  return useMutation({
    mutationFn: async (draft: WebhookDraft) => {
      refuseFaults(draft);
      const body = { '@type': 'Integration', provider: 'webhook', ...settingsOf(draft) };
      const headers = { 'Idempotency-Key': keyFor(body) };
      return api.post<Integration>(integrationsPath(account), { body, headers });
    },
    onSuccess: (integration) => {
      void queries.invalidateQueries({ queryKey: QUERIES.integrations(account) });
      onAdded(integration);
    },
  });
};

const Settings = (form: WebhookFormProps) => {
  const { draft, onChange, errors } = form;
  return (
    <SpaceBetween size="l">
      <EndpointField {...form} />
      <DescriptionField {...form} />
      <EventChoice {...form} />
      <FormSection
        header="Refused events"
        error={errors['/settings/onFatalError']}
        description={
          draft.onFatalError === 'pause'
            ? 'When the endpoint refuses an event, the webhook pauses.'
            : 'When the endpoint refuses an event, the webhook continues with the other events.'
        }
      >
        <FatalErrorChoice {...form} />
      </FormSection>
      <FormSection
        header="Filter"
        error={errors['/settings/filter']}
        description="To receive only some events of these types."
        isOpenAtFirst={draft.filter !== ''}
      >
        <FilterField {...form} />
      </FormSection>
      <FormSection
        header="Headers"
        error={errors['/config/headers'] ?? repeatedHeader(draft)}
        description="For an endpoint behind a gateway that requires a key."
        isOpenAtFirst={draft.headers.length > 0}
      >
        <HeaderFields {...form} />
      </FormSection>
      <OwnSecretField
        label={SETTING_LABELS['/config/webhookSecret']}
        value={draft.secret}
        onChange={(secret) => onChange({ ...draft, secret })}
        errorText={errors['/config/webhookSecret']}
      />
    </SpaceBetween>
  );
};

/** Keeps the draft when the page is loaded again, except for secrets. */
const useStoredDraft = (account: string) => {
  const key = `draft:webhook:${account}`;
  const [draft, setDraft] = useState(() => storedDraft(windowStorage()?.getItem(key)));
  return [
    draft,
    (changed: WebhookDraft) => {
      setDraft(changed);
      const headers = changed.headers.map((header) => ({ ...header, value: '' }));
      windowStorage()?.setItem(key, JSON.stringify({ ...changed, headers, secret: '' }));
    },
    () => windowStorage()?.removeItem(key),
  ] as const;
};

const storedDraft = (text: string | null = null): WebhookDraft =>
  text === null ? NEW_WEBHOOK : { ...NEW_WEBHOOK, ...(JSON.parse(text) as Partial<WebhookDraft>) };
