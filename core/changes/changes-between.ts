import { accountPath } from '../directory/account-resource.ts';
import { userPath } from '../directory/user-resource.ts';
import { differencesIn, type FoundSetting } from '../integration/found-settings.ts';
import type { Actor, Integration, Trouble } from '../integration/integration.ts';
import { integrationPath } from '../integration/integration-resource.ts';
import { presentReason } from '../integration/reason-resource.ts';
import { SETTINGS } from '../integration/settings.ts';
import { shownAddress } from '../integration/shown-address.ts';
import { type Change, type ChangeKind, changesPath } from './change-resource.ts';

/** One write of an integration: as it was and as it is. One of the two is there. */
export interface IntegrationWrite {
  /** Identifies the write: the same for each repetition. */
  readonly id: string;
  /** When the table wrote it, in whole seconds. */
  readonly writtenAt: Date;
  readonly before?: Integration | undefined;
  readonly after?: Integration | undefined;
}

type ChangeOfWrite = Pick<Change, 'kind' | 'at' | 'by'> &
  Pick<Change, 'members' | 'statusCode' | 'reason' | 'detail' | 'since' | 'endedBy' | 'count'>;

/** The changes that a write makes: none, if it only counts or notes. */
export const changesBetween = (write: IntegrationWrite): readonly Change[] => {
  const { before, after } = write;
  const integration = after ?? before;
  if (integration === undefined) return [];
  return changesIn(write).map((change) => ({
    '@context': '/contexts/Change.jsonld',
    '@type': 'Change',
    id: `${changesPath(integration.account)}/${write.id}-${change.kind}`,
    account: accountPath(integration.account),
    integration: integrationPath(integration.id),
    baseUrl: shownAddress(integration.config.baseUrl),
    ...(integration.description !== undefined && { description: integration.description }),
    ...change,
  }));
};

const changesIn = ({ before, after, writtenAt }: IntegrationWrite): readonly ChangeOfWrite[] => {
  const written = writtenAt.toISOString();
  if (after === undefined) {
    const deletedBy = before?.deletedBy;
    return [{ kind: 'deleted', at: deletedBy?.at ?? written, by: presentActor(deletedBy) }];
  }
  if (before === undefined) {
    return [{ kind: 'created', at: after.createdAt, by: presentActor(after.changedBy) }];
  }
  return [
    ...settingsChanges(before, after),
    ...troubleChanges(before, after, written),
    ...setAsideChanges(before, after, written),
  ];
};

const presentActor = (by: Actor = { kind: 'service' }): Change['by'] =>
  by.kind === 'user'
    ? { user: userPath(by.user), ...(by.token !== undefined && { token: by.token }) }
    : by.kind;

const settingsChanges = (before: Integration, after: Integration): readonly ChangeOfWrite[] => {
  if (before.revision === after.revision) return [];
  const members = changedMembers(before, after);
  const kinds: readonly (ChangeKind | false)[] = [
    members.length > 0 && 'settings-changed',
    before.config.webhookSecret.sealed !== after.config.webhookSecret.sealed && 'secret-rotated',
    before.active !== after.active && (after.active ? 'activated' : 'deactivated'),
  ];
  const { changedBy, updatedAt: at } = after;
  return kinds.flatMap((kind) =>
    kind === false
      ? []
      : [
          {
            kind,
            at,
            by: presentActor(changedBy),
            ...(kind === 'settings-changed' && { members }),
          },
        ],
  );
};

const changedMembers = (before: Integration, after: Integration): NonNullable<Change['members']> =>
  differencesIn(before, after).flatMap(([old, current]) => {
    const setting = old ?? current;
    if (setting === undefined || hasKindOfItsOwn(setting, current !== undefined)) return [];
    const [from, to] = [shownValue(old), shownValue(current)];
    return {
      name: setting.steps.join('.'),
      ...(from !== undefined && from !== to && { from }),
      ...(to !== undefined && from !== to && { to }),
    };
  });

/** Whether a change of the setting is of another kind than `settings-changed`. */
const hasKindOfItsOwn = ({ path }: FoundSetting, isThere: boolean): boolean =>
  path === 'active' ||
  path === 'config.webhookSecret' ||
  (path === 'config.nextWebhookSecret' && !isThere);

const shownValue = (setting: FoundSetting | undefined): string | boolean | undefined => {
  if (setting === undefined || SETTINGS[setting.path].holds === 'secret') return undefined;
  if (SETTINGS[setting.path].holds === 'address') return shownAddress(String(setting.value));
  return typeof setting.value === 'boolean' ? setting.value : String(setting.value);
};

const troubleChanges = (
  before: Integration,
  after: Integration,
  written: string,
): readonly ChangeOfWrite[] => {
  const [was, is] = [stoppedBy(before), stoppedBy(after)];
  if (is !== undefined) {
    if (was?.kind === is.kind) return [];
    return [{ kind: is.kind, at: is.since, by: 'service', since: is.since, ...latestOf(is) }];
  }
  // A change that also deactivates the integration does not repair it.
  if (was === undefined || !after.active) return [];
  const isRequested = after.changedBy.at !== before.changedBy.at;
  const { confirmedAt = '' } = after;
  const isConfirmed = confirmedAt > was.since || confirmedAt !== (before.confirmedAt ?? '');
  const at = isRequested ? after.changedBy.at : written;
  return [
    {
      kind: 'recovered',
      // `written` is in whole seconds, and may seem to be before the trouble.
      at: [at, was.since].toSorted().at(-1) ?? at,
      by: isRequested ? presentActor(after.changedBy) : 'service',
      endedBy: endOf({ isRequested, isChanged: after.revision !== before.revision, isConfirmed }),
      since: was.since,
      ...latestOf(was),
    },
  ];
};

const endOf = (did: { isRequested: boolean; isChanged: boolean; isConfirmed: boolean }) => {
  if (did.isChanged) return 'settings';
  if (did.isRequested) return 'request';
  return did.isConfirmed ? 'success' : 'nothing-pending';
};

type Stopping = Trouble & { readonly kind: 'busy' | 'failed' };

const isStopping = (trouble: Trouble | undefined): trouble is Stopping =>
  trouble?.kind === 'busy' || trouble?.kind === 'failed';

const stoppedBy = ({ trouble }: Integration): Stopping | undefined =>
  isStopping(trouble) ? trouble : undefined;

const latestOf = ({ statusCode, reason }: Trouble) => ({
  ...(statusCode !== undefined && { statusCode }),
  ...(reason !== undefined && presentReason(reason)),
});

const setAsideChanges = (
  before: Integration,
  after: Integration,
  at: string,
): readonly ChangeOfWrite[] => {
  const count = (after.setAside ?? 0) - (before.setAside ?? 0);
  return count > 0 ? [{ kind: 'event-set-aside', at, by: 'service', count }] : [];
};
