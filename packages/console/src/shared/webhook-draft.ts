import type { Actions, EventType, Integration, OnFatalError } from '../api/resources.ts';

/** The members of a webhook that a person sets. */
export interface WebhookSettings {
  readonly active: boolean;
  readonly config: {
    readonly baseUrl: string;
    /** If it is absent, the service makes one. */
    readonly webhookSecret?: string;
  };
  readonly settings: {
    readonly actions?: Partial<Actions>;
    readonly onFatalError?: OnFatalError;
  };
}

/** The settings of a webhook in a form. */
export interface WebhookDraft {
  readonly baseUrl: string;
  readonly actions: Readonly<Partial<Record<EventType, boolean>>>;
  readonly onFatalError: OnFatalError;
  /** A secret that the user brings; empty if the service makes one. */
  readonly secret: string;
}

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

/** White space around a pasted URL or secret is removed. */
export const settingsOf = (draft: WebhookDraft): WebhookSettings => ({
  active: true,
  config: {
    baseUrl: draft.baseUrl.trim(),
    ...(draft.secret.trim() !== '' && { webhookSecret: draft.secret.trim() }),
  },
  settings: { actions: draft.actions, onFatalError: draft.onFatalError },
});

/** A merge patch with the differences from the settings that were read. */
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

/** Whether no event type is chosen, so that the webhook would receive nothing. */
export const isDeaf = (actions: WebhookDraft['actions']): boolean =>
  !Object.values(actions).some((wanted) => wanted);
