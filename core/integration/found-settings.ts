import { EVENT_TYPES } from '../event/event-types.ts';
import { addresses, freeForm, type Terms, terms } from '../json-ld/vocabulary.ts';
import { SETTINGS, type SettingPath } from './settings.ts';

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
  const byKey = (one: object) => new Map(settingsIn(one).map((setting) => [setting.key, setting]));
  const [from, to] = [byKey(before), byKey(after)];
  return [...new Set([...from.keys(), ...to.keys()])]
    .map((key) => [from.get(key), to.get(key)] as const)
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
