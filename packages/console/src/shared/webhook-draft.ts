import { ApiProblem } from '../api/problem.ts';
import type { Actions, EventType, Integration, OnFatalError } from '../api/resources.ts';

/** The members of a webhook that a person sets. */
export interface WebhookSettings {
  readonly description?: string | null;
  readonly active: boolean;
  readonly config: {
    readonly baseUrl?: string;
    /** If it is absent, the service makes one. */
    readonly webhookSecret?: string;
    readonly headers?: Readonly<Record<string, string | null>>;
  };
  readonly settings: {
    readonly actions?: Partial<Actions>;
    readonly onFatalError?: OnFatalError;
  };
}

/** A header in a form. The value of a stored one is empty until another is typed. */
export interface HeaderDraft {
  readonly name: string;
  readonly value: string;
  readonly isStored: boolean;
}

export const MOST_HEADERS = 5;

/** The settings of a webhook in a form. */
export interface WebhookDraft {
  readonly description: string;
  readonly baseUrl: string;
  readonly actions: Readonly<Partial<Record<EventType, boolean>>>;
  readonly onFatalError: OnFatalError;
  /** A secret that the user brings; empty if the service makes one. */
  readonly secret: string;
  readonly headers: readonly HeaderDraft[];
}

export const NEW_WEBHOOK: WebhookDraft = {
  description: '',
  baseUrl: '',
  actions: { 'message.delivered': true, 'message.received': true },
  onFatalError: 'pause',
  secret: '',
  headers: [],
};

export const draftOf = ({ description = '', config, settings }: Integration): WebhookDraft => ({
  description,
  baseUrl: config.baseUrl,
  actions: settings.actions,
  onFatalError: settings.onFatalError,
  secret: '',
  headers: Object.keys(config.headers ?? {}).map((name) => ({ name, value: '', isStored: true })),
});

/** Without the empty rows, and the white space around what was pasted. */
const writtenHeaders = ({ headers }: Pick<WebhookDraft, 'headers'>): readonly HeaderDraft[] =>
  headers
    .map(({ name, value, isStored }) => ({ name: name.trim(), value: value.trim(), isStored }))
    .filter(({ name, value }) => name !== '' || value !== '');

/** A name that two headers of a form have, in whatever case: a document would keep one of them. */
export const repeatedHeader = (draft: Pick<WebhookDraft, 'headers'>): string | undefined => {
  const written = writtenHeaders(draft).map(({ name }) => name);
  const names = written.map((name) => name.toLowerCase());
  return written.find((_, index) => names.indexOf(names[index] ?? '') < index);
};

/** Throws, as the API does about other headers, if two headers of a form have one name. */
export const refuseRepeatedHeader = (draft: Pick<WebhookDraft, 'headers'>): void => {
  const name = repeatedHeader(draft);
  if (name === undefined) return;
  const detail = twoHeadersNamed(name);
  throw new ApiProblem(422, { errors: [{ pointer: '/config/headers', detail }] });
};

export const twoHeadersNamed = (name: string): string => `Two headers have the name ${name}.`;

/** White space around a pasted URL or secret is removed. */
export const settingsOf = (draft: WebhookDraft): WebhookSettings => ({
  ...(draft.description.trim() !== '' && { description: draft.description.trim() }),
  active: true,
  config: {
    baseUrl: draft.baseUrl.trim(),
    ...(draft.secret.trim() !== '' && { webhookSecret: draft.secret.trim() }),
    ...(draft.headers.length > 0 && {
      headers: Object.fromEntries(writtenHeaders(draft).map(({ name, value }) => [name, value])),
    }),
  },
  settings: { actions: draft.actions, onFatalError: draft.onFatalError },
});

/** A merge patch with the differences from the settings that were read. */
export const changesOf = (
  { baseUrl, actions, onFatalError, ...draft }: WebhookDraft,
  read: Integration,
): Pick<Partial<WebhookSettings>, 'description' | 'config' | 'settings'> => {
  const description = draft.description.trim();
  const headers = changedHeaders(writtenHeaders(draft), Object.keys(read.config.headers ?? {}));
  const config = {
    ...(baseUrl.trim() !== read.config.baseUrl && { baseUrl: baseUrl.trim() }),
    ...(Object.keys(headers).length > 0 && { headers }),
  };
  const changed = Object.entries(actions).filter(
    ([type, wanted]) => read.settings.actions[type as EventType] !== wanted,
  );
  const settings = {
    ...(changed.length > 0 && { actions: Object.fromEntries(changed) as Partial<Actions> }),
    ...(onFatalError !== read.settings.onFatalError && { onFatalError }),
  };
  return {
    ...(description !== (read.description ?? '') && { description: description || null }),
    ...(Object.keys(config).length > 0 && { config }),
    ...(Object.keys(settings).length > 0 && { settings }),
  };
};

const changedHeaders = (
  headers: readonly HeaderDraft[],
  stored: readonly string[],
): Record<string, string | null> =>
  Object.fromEntries([
    ...stored
      .filter((name) => !headers.some((header) => header.name === name))
      .map((name) => [name, null]),
    ...headers
      .filter(({ value, isStored }) => !isStored || value !== '')
      .map(({ name, value }) => [name, value]),
  ]);

/** Whether no event type is chosen, so that the webhook would receive nothing. */
export const isDeaf = (actions: WebhookDraft['actions']): boolean =>
  !Object.values(actions).some((wanted) => wanted);
