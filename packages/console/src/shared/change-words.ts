import { nameIn } from '../api/paths.ts';
import {
  adviceFor,
  type Change,
  capitalised,
  differencesIn,
  type Integration,
  labelOf,
  statusInWords,
} from '../api/resources.ts';
import { remainingInWords } from './instant-words.ts';
import { inDigits } from './locale.ts';
import { addressInWords } from './webhook-name.ts';

export type ChangeKind = Change['kind'];

interface ChangeInWords {
  /** Cloudscape's sign. */
  readonly sign: 'info' | 'success' | 'warning' | 'error' | 'stopped';
  readonly words: string;
  readonly details: readonly string[];
}

const KINDS: Readonly<Record<ChangeKind, Omit<ChangeInWords, 'details'>>> = {
  created: { sign: 'info', words: 'Added' },
  'settings-changed': { sign: 'info', words: 'Settings changed' },
  'secret-rotated': { sign: 'info', words: 'Signing secret changed' },
  activated: { sign: 'success', words: 'Activated' },
  deactivated: { sign: 'stopped', words: 'Deactivated' },
  deleted: { sign: 'stopped', words: 'Deleted' },
  busy: { sign: 'warning', words: 'Busy' },
  failed: { sign: 'error', words: 'Failed' },
  recovered: { sign: 'success', words: 'Recovered' },
  'event-set-aside': { sign: 'warning', words: 'Events set aside' },
};

export const CHANGE_KINDS = Object.keys(KINDS) as ChangeKind[];

export const kindInWords = (kind: ChangeKind): string => KINDS[kind].words;

export const changeInWords = (change: Change): ChangeInWords => ({
  ...KINDS[change.kind],
  details: detailsOf(change),
});

const detailsOf = (change: Change): readonly string[] => {
  const { kind, at, members = [], since = at, endedBy, count = 1 } = change;
  if (kind === 'busy' || kind === 'failed') return [`${capitalised(adviceFor(change).what)}.`];
  if (kind === 'event-set-aside') return [count === 1 ? '1 event' : `${inDigits(count)} events`];
  if (kind !== 'recovered') return members.map(memberInWords);
  const lasted = remainingInWords(at, new Date(since)) ?? 'less than a second';
  return [
    `Down for ${lasted}. Reason: ${reasonOf(change)}.`,
    ...(endedBy === undefined ? [] : [ENDS[endedBy]]),
  ];
};

const reasonOf = (change: Change): string =>
  change.statusCode === undefined ? adviceFor(change).what : statusInWords(change.statusCode);

const ENDS: Readonly<Record<NonNullable<Change['endedBy']>, string>> = {
  success: 'Your endpoint confirmed an event again.',
  settings: 'The settings were changed.',
  request: 'A recovery was requested.',
  'nothing-pending': 'No events were waiting.',
};

type ChangedMember = NonNullable<Change['members']>[number];

/** "message.failed: off → on". */
const memberInWords = ({ name, from, to }: ChangedMember): string => {
  const isEventType = name.startsWith('settings.actions.');
  const label = labelOf(name);
  if (from === undefined && to === undefined) return `${label}: changed`;
  const [before, after] = [from, to].map((value) => {
    if (typeof value === 'string') return value;
    return value ? 'on' : isEventType ? 'off' : 'none';
  });
  return `${label}: ${before} → ${after}`;
};

/** The labels of the settings that differ between two reads of a webhook. */
export const differencesInWords = (before: Integration, after: Integration): readonly string[] =>
  differencesIn(before, after).map(([old, current]) =>
    labelOf((old ?? current)?.steps.join('.') ?? ''),
  );

/** "u_ada", "An operator" or "The service"; `token` is the id of the access token. */
export const actorInWords = (
  by: Change['by'],
): { readonly who: string; readonly token?: string | undefined } => {
  if (by === 'service') return { who: 'The service' };
  if (by === 'operator') return { who: 'An operator' };
  return { who: nameIn(by.user), token: by.token };
};

export interface ChangeFilter {
  readonly integration?: string | undefined;
  readonly kind?: ChangeKind | undefined;
}

/** Reads the search parameters that a user may have typed. Unknown values are ignored. */
export const readChangeFilter = (raw: Readonly<Record<string, unknown>>): ChangeFilter => ({
  integration:
    typeof raw.integration === 'string' ? INTEGRATION_ID.exec(raw.integration)?.[0] : undefined,
  kind: CHANGE_KINDS.find((kind) => kind === raw.kind),
});

const INTEGRATION_ID = /^[0-9A-Za-z]{12}$/;

/**
 * The webhooks that a list of changes can be filtered by, with their addresses: those that there
 * are, deleted ones of the changes, and the chosen one.
 */
export const webhooksToChoose = (
  webhooks: readonly (Pick<Integration, 'id' | 'description'> & {
    readonly config: Pick<Integration['config'], 'baseUrl'>;
  })[],
  changes: readonly Pick<Change, 'integration' | 'baseUrl'>[],
  chosen: string | undefined,
): readonly { readonly value: string; readonly label: string; readonly description?: string }[] => {
  const existing = webhooks.map(({ id, description, config: { baseUrl } }) => ({
    value: nameIn(id),
    ...(description === undefined
      ? { label: addressInWords(baseUrl) }
      : { label: description, description: addressInWords(baseUrl) }),
  }));
  const ids = new Set(existing.map(({ value }) => value));
  const deleted = new Map(chosen === undefined ? [] : [[chosen, chosen]]);
  for (const { integration, baseUrl } of changes.toReversed())
    deleted.set(nameIn(integration), baseUrl);
  return [
    ...existing,
    ...[...deleted]
      .filter(([value]) => !ids.has(value))
      .map(([value, label]) => ({ value, label, description: 'Deleted' })),
  ];
};
