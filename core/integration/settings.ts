import { EVENT_TYPES, type EventType } from '../event/event-types.ts';
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
