import { EVENT_TYPES, type EventType } from '../event/event-types.ts';
import { addresses, freeForm, type Terms, terms } from '../json-ld/vocabulary.ts';
import type { EndpointHeaders } from './endpoint-headers.ts';
import type { SealedSecret, SigningSecrets } from './signing-secrets.ts';

export type Actions = Readonly<Record<EventType, boolean>>;

export const subscribedTo = (...types: readonly EventType[]): Actions =>
  Object.fromEntries(EVENT_TYPES.map((type) => [type, types.includes(type)])) as Actions;

export const ON_FATAL_ERROR = ['pause', 'continue'] as const;

/**
 * `pause`: a refusal fails the integration. `continue`: the event waits for its next
 * attempt, and others go on; the integration fails after 20 different events refused in a row.
 */
export type OnFatalError = (typeof ON_FATAL_ERROR)[number];

export const WHILE_INACTIVE = ['discard', 'keep'] as const;

/** Whether events that happen while the integration is inactive are stored, to be sent after that. */
export type WhileInactive = (typeof WHILE_INACTIVE)[number];

export interface IntegrationSettings {
  /** A name for people; not sent to the endpoint. */
  readonly description?: string | undefined;
  readonly active: boolean;
  readonly config: SigningSecrets<SealedSecret> & {
    readonly baseUrl: string;
    /** Stored for the customer's client applications; never shown, never sent to the endpoint. */
    readonly clientSecret?: SealedSecret;
    /** Sent to the endpoint with every request, and not signed. */
    readonly headers?: EndpointHeaders<SealedSecret>;
  };
  readonly settings: {
    readonly actions: Actions;
    readonly onFatalError: OnFatalError;
    /** The events that are sent: JSON text of a pattern on their data, see `event-filter.ts`. */
    readonly filter?: string | undefined;
    /** Absent: `discard`. */
    readonly whileInactive?: WhileInactive | undefined;
  };
}

/** The members of `config` that documents have. */
export type ConfigMember = Exclude<keyof IntegrationSettings['config'], 'previousSecrets'>;
export type SettingsMember = keyof IntegrationSettings['settings'];

/** As a path in the integration's document. */
export type SettingPath =
  | Exclude<keyof IntegrationSettings, 'config' | 'settings'>
  | `config.${ConfigMember}`
  | `settings.${SettingsMember}`;

interface Setting {
  /** In the console. */
  readonly label: string;
  /**
   * Secrets are shown as `[FILTERED]`. Changes have scheme and host of an address. JSON is stored,
   * and in changes, as text.
   */
  readonly holds: 'value' | 'address' | 'secret' | 'json';
  /** Of a setting that has a value for each of several names. */
  readonly each?: {
    /** Precedes the name in the console. */
    readonly label: string;
    /** Callers choose names that are `free` or `caseless`; the case of the latter does not matter. */
    readonly names: 'fixed' | 'free' | 'caseless';
  };
}

/** Every setting of an integration. Documents, contexts, changes and the console follow it. */
export const SETTINGS: Readonly<Record<SettingPath, Setting>> = {
  description: { label: 'Description', holds: 'value' },
  active: { label: 'Active', holds: 'value' },
  'config.baseUrl': { label: 'Endpoint URL', holds: 'address' },
  'config.webhookSecret': { label: 'Signing secret', holds: 'secret' },
  'config.nextWebhookSecret': { label: 'Next signing secret', holds: 'secret' },
  'config.clientSecret': { label: 'Client secret', holds: 'secret' },
  'config.headers': {
    label: 'Your own headers',
    holds: 'secret',
    each: { label: 'Header ', names: 'caseless' },
  },
  'settings.actions': { label: 'Events', holds: 'value', each: { label: '', names: 'fixed' } },
  'settings.onFatalError': { label: 'When the endpoint refuses an event', holds: 'value' },
  'settings.filter': { label: 'Filter', holds: 'json' },
  'settings.whileInactive': { label: 'Events while inactive', holds: 'value' },
};

const PATHS = Object.keys(SETTINGS) as SettingPath[];

const memberOf = (path: SettingPath): string => path.slice(path.indexOf('.') + 1);

/** The members of documents whose names callers choose. */
export const FREE_FORM_SETTINGS: readonly string[] = PATHS.filter((path) => {
  const { holds, each } = SETTINGS[path];
  return holds === 'json' || (each !== undefined && each.names !== 'fixed');
}).map(memberOf);

export const settingTerms: Terms = {
  ...terms('config', 'settings', ...PATHS.map(memberOf), ...EVENT_TYPES),
  ...addresses(...PATHS.filter((path) => SETTINGS[path].holds === 'address').map(memberOf)),
  ...freeForm(...FREE_FORM_SETTINGS),
};

/** A setting, or one of its named values, in an integration or in its document. */
export interface FoundSetting {
  readonly path: SettingPath;
  /** Where in the document, with a name as it is spelled. */
  readonly steps: readonly string[];
  /** The same for each spelling of a name whose case does not matter. */
  readonly key: string;
  readonly value: unknown;
}

/** What there is of the settings in an object of any shape. */
export const settingsIn = (integration: unknown): readonly FoundSetting[] =>
  PATHS.flatMap((path): FoundSetting | FoundSetting[] => {
    const { each } = SETTINGS[path];
    const steps = path.split('.');
    const value = steps.reduce(valueAt, integration);
    if (value === undefined) return [];
    if (each === undefined) return { path, steps, key: path, value };
    return Object.entries(membersOf(value)).map(([name, named]) => ({
      path,
      steps: [...steps, name],
      key: `${path}.${each.names === 'caseless' ? name.toLowerCase() : name}`,
      value: named,
    }));
  });

/** The settings that differ, before and after, in the order of the list. */
export const differencesIn = (
  before: object,
  after: object,
): readonly (readonly [before: FoundSetting | undefined, after: FoundSetting | undefined])[] => {
  const [from, to] = [before, after].map(
    (one) => new Map(settingsIn(one).map((setting) => [setting.key, setting])),
  );
  return [...new Set([...(from?.keys() ?? []), ...(to?.keys() ?? [])])]
    .map((key) => [from?.get(key), to?.get(key)] as const)
    .filter(([old, current]) => identityOf(old?.value) !== identityOf(current?.value))
    .toSorted((one, other) => placeOf(one) - placeOf(other));
};

const placeOf = ([before, after]: readonly [FoundSetting?, FoundSetting?]): number =>
  PATHS.findIndex((path) => path === (before ?? after)?.path);

/** A secret has another text whenever it is sealed. JSON is an object in documents. */
const identityOf = (value: unknown): unknown =>
  valueAt(value, 'sealed') ?? (typeof value === 'object' ? JSON.stringify(value) : value);

/** In the console, by pointers in the document. */
export const SETTING_LABELS = Object.fromEntries(
  PATHS.map((path) => [`/${path.replace('.', '/')}`, SETTINGS[path].label]),
) as Readonly<Record<PointerTo<SettingPath>, string>>;

type PointerTo<Path extends string> = Path extends `${infer Group}.${infer Member}`
  ? `/${Group}/${Member}`
  : `/${Path}`;

/** In the console, of a setting as of a member that changed. */
export const labelOf = (member: string): string => {
  const path = PATHS.find((one) => member === one || member.startsWith(`${one}.`));
  const { label, each } = path === undefined ? { label: member } : SETTINGS[path];
  return each === undefined || path === undefined
    ? label
    : each.label + member.slice(path.length + 1);
};

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

const valueAt = (value: unknown, member: string): unknown => membersOf(value)[member];
