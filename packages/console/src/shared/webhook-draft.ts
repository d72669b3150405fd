import type { FieldLabels } from '../api/field-errors.ts';
import { ApiProblem } from '../api/problem.ts';
import {
  canMatch,
  type DataSchema,
  type EventType,
  type EventTypeEntry,
  FILTERED,
  type FilterFault,
  filterFaults,
  filterWarnings,
  type Integration,
  type OnFatalError,
  SETTING_LABELS,
  type WhileInactive,
} from '../api/resources.ts';
import { jsonFault } from './json-fault.ts';

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
  readonly whileInactive?: WhileInactive | undefined;
  /** A secret that the user brings; empty if the service makes one. */
  readonly secret: string;
  readonly headers: readonly HeaderDraft[];
  /** JSON, or what was typed so far. Empty if there is none. */
  readonly filter: string;
}

export const NEW_WEBHOOK: WebhookDraft = {
  description: '',
  baseUrl: '',
  actions: { 'message.delivered': true, 'message.received': true },
  onFatalError: 'pause',
  secret: '',
  headers: [],
  filter: '',
};

export const draftOf = ({ description = '', config, settings }: Integration): WebhookDraft => ({
  description,
  baseUrl: config.baseUrl,
  actions: settings.actions,
  onFatalError: settings.onFatalError,
  whileInactive: settings.whileInactive,
  secret: '',
  headers: Object.keys(config.headers ?? {}).map((name) => ({ name, value: '', isStored: true })),
  filter: settings.filter === undefined ? '' : JSON.stringify(settings.filter, null, 2),
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

/** The JSON pointer of a header in the document. */
export const headerPointer = (name: string): string =>
  `/config/headers/${name.trim().replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** The labels of the form's fields: each of its headers has its own errors. */
export const labelsOf = ({ headers }: Pick<WebhookDraft, 'headers'>): FieldLabels => ({
  ...SETTING_LABELS,
  ...Object.fromEntries(
    headers.map(({ name }) => [
      headerPointer(name),
      `${SETTING_LABELS['/config/headers']} ${name}`,
    ]),
  ),
});

/**
 * Throws, as the API does about other faults, if two headers of a form have one name, or its filter is
 * none: the document or the patch made of it could have neither, and be accepted. The API's words for
 * what is no address are for programs, and those for the header are of its document.
 */
export const refuseFaults = (draft: Pick<WebhookDraft, 'headers' | 'filter' | 'baseUrl'>): void => {
  const name = repeatedHeader(draft);
  const fault = draft.filter.trim() === '' ? undefined : filterFault(draft.filter);
  const errors = [
    ...(URL.canParse(draft.baseUrl.trim())
      ? []
      : [{ pointer: '/config/baseUrl', detail: 'Enter the https:// address of your endpoint.' }]),
    ...(writtenHeaders(draft).some((header) => header.name === '__proto__')
      ? [{ pointer: headerPointer('__proto__'), detail: 'must have another name' }]
      : []),
    ...(name === undefined ? [] : [{ pointer: '/config/headers', detail: twoHeadersNamed(name) }]),
    ...(fault === undefined ? [] : [{ pointer: '/settings/filter', detail: fault }]),
  ];
  if (errors.length > 0) throw new ApiProblem(422, { errors });
};

export const twoHeadersNamed = (name: string): string => `Two headers have the name ${name}.`;

/** White space around a pasted URL or secret is removed. */
export const settingsOf = (draft: WebhookDraft) => ({
  ...(draft.description.trim() !== '' && { description: draft.description.trim() }),
  active: true,
  config: {
    baseUrl: draft.baseUrl.trim(),
    ...(draft.secret.trim() !== '' && { webhookSecret: draft.secret.trim() }),
    headers: Object.fromEntries(
      writtenHeaders(draft).map(({ name, value, isStored }) => [
        name,
        isStored && value === '' ? FILTERED : value,
      ]),
    ),
  },
  settings: {
    actions: draft.actions,
    onFatalError: draft.onFatalError,
    ...(draft.whileInactive && { whileInactive: draft.whileInactive }),
    ...(draft.filter.trim() !== '' && { filter: jsonIn(draft.filter) ?? draft.filter }),
  },
});

/** A merge patch with the differences from the settings that were read. */
export const changesOf = (draft: WebhookDraft, read: Integration): object =>
  patchTo(settingsOf(draft), settingsOf(draftOf(read)));

/** The JSON Merge Patch that makes an object of another. Members that both lack stay as they are. */
const patchTo = (to: object, from: object): object => {
  const [wanted, read] = [new Map(Object.entries(to)), new Map(Object.entries(from))];
  const names = new Set([...read.keys(), ...wanted.keys()]);
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const [value, before] = [wanted.get(name) ?? null, read.get(name) ?? null];
      if (!isObject(value) || !isObject(before)) {
        return JSON.stringify(value) === JSON.stringify(before) ? [] : [[name, value]];
      }
      const patch = patchTo(value, before);
      return Object.keys(patch).length === 0 ? [] : [[name, patch]];
    }),
  );
};

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const filterFault = (text: string): string | undefined => {
  const notJson = jsonFault(text);
  if (notJson !== undefined) return `It ${notJson}.`;
  const filter: unknown = JSON.parse(text);
  if (!isObject(filter)) {
    const what = Array.isArray(filter) ? 'a list' : 'a value';
    return `It is ${what}, and must be an object, such as { "message": { "direction": ["in"] } }.`;
  }
  const [fault] = filterFaults(filter);
  return fault && about(fault);
};

const about = ({ path, detail }: FilterFault): string => `${path.join(' › ') || 'It'} ${detail}.`;

/** What becomes of a filter as it was typed, by the schemas of the chosen event types. */
export interface FilterOutcome {
  /** Why it cannot be saved. */
  readonly fault?: string;
  /** What of it no chosen type has. */
  readonly warnings: readonly string[];
  /** The chosen types with events that it can match, and those without. */
  readonly sent: readonly string[];
  readonly others: readonly string[];
}

export const filterOutcome = (
  { filter: text, actions }: Pick<WebhookDraft, 'filter' | 'actions'>,
  types: readonly Pick<EventTypeEntry, 'name' | 'schema'>[],
): FilterOutcome => {
  const fault = filterFault(text);
  if (fault !== undefined) return { fault, warnings: [], sent: [], others: [] };
  const filter: object = JSON.parse(text);
  const chosen = types.filter(({ name }) => actions[name]);
  const schemas = chosen.map(({ schema }): DataSchema => schema);
  const isSent = ({ schema }: Pick<EventTypeEntry, 'schema'>) => canMatch(filter, schema);
  return {
    warnings: filterWarnings(filter, schemas).map(about),
    sent: chosen.filter(isSent).map(({ name }) => name),
    others: chosen.filter((type) => !isSent(type)).map(({ name }) => name),
  };
};

/** Whether no event type is chosen, so that the webhook would receive nothing. */
export const isDeaf = (actions: WebhookDraft['actions']): boolean =>
  !Object.values(actions).some((wanted) => wanted);
