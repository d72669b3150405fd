import type { WebhookSettings } from '../api/changes.ts';
import type { Actions, EventType, Integration, OnFatalError } from '../api/resources.ts';

/** The settings of a webhook as a form has them. */
export interface WebhookDraft {
  readonly baseUrl: string;
  readonly actions: Readonly<Partial<Record<EventType, boolean>>>;
  readonly onFatalError: OnFatalError;
  /** A secret of one's own; empty where the service is to make one. */
  readonly secret: string;
}

/** As the web application registers a webhook unless the person chooses otherwise. */
export const NEW_WEBHOOK: WebhookDraft = {
  baseUrl: '',
  actions: { 'message.delivered': true, 'message.received': true },
  onFatalError: 'pause',
  secret: '',
};

export const draftOf = ({ config, settings }: Integration): WebhookDraft => ({
  baseUrl: config.baseUrl,
  actions: settings.actions,
  onFatalError: settings.onFatalError,
  secret: '',
});

/** White space around a pasted URL or secret is not meant. */
export const settingsOf = ({
  baseUrl,
  actions,
  onFatalError,
  secret,
}: WebhookDraft): WebhookSettings => ({
  active: true,
  config: {
    baseUrl: baseUrl.trim(),
    ...(secret.trim() !== '' && { webhookSecret: secret.trim() }),
  },
  settings: { actions, onFatalError },
});

/** The members of a merge patch: what differs from the settings as they were read. */
export const changesOf = (
  { baseUrl, actions, onFatalError }: WebhookDraft,
  read: Integration,
): Pick<Partial<WebhookSettings>, 'config' | 'settings'> => {
  const changed = Object.entries(actions).filter(
    ([type, wanted]) => read.settings.actions[type as EventType] !== wanted,
  );
  const settings = {
    ...(changed.length > 0 && { actions: Object.fromEntries(changed) as Partial<Actions> }),
    ...(onFatalError !== read.settings.onFatalError && { onFatalError }),
  };
  return {
    ...(baseUrl.trim() !== read.config.baseUrl && { config: { baseUrl: baseUrl.trim() } }),
    ...(Object.keys(settings).length > 0 && { settings }),
  };
};

/** Whether no event type is chosen: such a webhook would receive nothing. */
export const isDeaf = (actions: WebhookDraft['actions']): boolean =>
  !Object.values(actions).some((wanted) => wanted);
