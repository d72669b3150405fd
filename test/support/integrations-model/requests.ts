import fc from 'fast-check';
import { EVENT_TYPES } from '../../../core/event/event-types.ts';
import { ON_FATAL_ERROR } from '../../../core/integration/settings.ts';
import type { Actions } from './model.ts';

/** Which integration a call is of: one that there is, by number, or none. */
export type Target = number | 'deleted' | 'unknown';

export const target: fc.Arbitrary<Target> = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom<Target>(0, 0, 0, 1, 1, 2, 3, 4) },
  { weight: 1, arbitrary: fc.constant<Target>('deleted') },
  { weight: 1, arbitrary: fc.constant<Target>('unknown') },
);

export type IfMatch = 'absent' | 'right' | 'any' | 'among others' | 'former' | 'weak' | 'nonsense';

export const MET: ReadonlySet<IfMatch> = new Set(['absent', 'right', 'any', 'among others']);

export const ifMatch = fc.oneof(
  { weight: 6, arbitrary: fc.constant<IfMatch>('absent') },
  { weight: 6, arbitrary: fc.constantFrom<IfMatch>('right', 'any', 'among others') },
  { weight: 3, arbitrary: fc.constantFrom<IfMatch>('former', 'weak', 'nonsense') },
);

/** A secret as a call gives it: not at all, by what stands for it, in full, or taken away. */
export type SecretChoice =
  | 'absent'
  | '[FILTERED]'
  | 'current'
  | 'former'
  | 'null'
  | `own ${string}`;

const own = fc.constantFrom<SecretChoice>(
  'own one with sixteen',
  'own two with spaces ~!',
  'own three: "quoted", \\',
);

const webhookSecret = fc.oneof(
  fc.constantFrom<SecretChoice>('absent', 'absent', '[FILTERED]', 'current', 'former'),
  own,
);

const clientSecret = fc.constantFrom<SecretChoice>('absent', '[FILTERED]', 'own of the clients');

const chosenActions: fc.Arbitrary<Actions> = fc.dictionary(
  fc.constantFrom(...EVENT_TYPES),
  fc.boolean(),
  { maxKeys: 4 },
);

const onFatalError = fc.constantFrom(...ON_FATAL_ERROR);

/** Something that no document may have. */
const fault = fc.oneof(
  { weight: 9, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<object>({ colour: 'red' }, { provider: 'fax' }, { active: 'yes' }),
  },
);

/** Numbers the addresses that may be saved. */
const address = fc.nat({ max: 2 });

const documentWith = (secrets: {
  webhookSecret: fc.Arbitrary<SecretChoice>;
  clientSecret: fc.Arbitrary<SecretChoice>;
}) =>
  fc.record({
    active: fc.boolean(),
    address,
    ...secrets,
    actions: fc.option(chosenActions, { nil: undefined }),
    onFatalError: fc.option(onFatalError, { nil: undefined }),
    fault,
  });

const documentChoice = documentWith({ webhookSecret, clientSecret });

export type DocumentChoice = typeof documentChoice extends fc.Arbitrary<infer T> ? T : never;

/** `[FILTERED]` stands for nothing yet. */
export const creation = fc.record({
  document: documentWith({
    webhookSecret: fc.oneof(fc.constant<SecretChoice>('absent'), own, webhookSecret),
    clientSecret: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom<SecretChoice>('absent', 'own of the clients') },
      { weight: 1, arbitrary: clientSecret },
    ),
  }),
  key: fc.constantFrom(undefined, undefined, 'key-1', 'key-2'),
});

/** Of a call whose document is sent again. */
export const repetition = fc.constantFrom('key-1', 'key-2');

export const replacement = fc.record({ target, ifMatch, document: documentChoice });

const patchChoice = fc.record(
  {
    active: fc.boolean(),
    address,
    webhookSecret: fc.oneof(webhookSecret, fc.constant<SecretChoice>('null')),
    clientSecret: fc.oneof(clientSecret, fc.constant<SecretChoice>('null')),
    actions: fc.oneof(
      fc.dictionary(fc.constantFrom(...EVENT_TYPES), fc.constantFrom(true, false, null), {
        maxKeys: 3,
      }),
      fc.constant(null),
    ),
    onFatalError: fc.option(onFatalError),
    fault,
  },
  { requiredKeys: ['fault'] },
);

export type PatchChoice = typeof patchChoice extends fc.Arbitrary<infer T> ? T : never;

export const patching = fc.record({ target, ifMatch, patch: patchChoice });

export const sendingBack = fc.record({ target, method: fc.constantFrom('PUT', 'PATCH') });

export const rotation = fc.record({ target, ifMatch, webhookSecret });

export type RotationChoice = typeof rotation extends fc.Arbitrary<infer T> ? T : never;

/** `overlaps` that may be; those that may not are added. */
export const secretSwitch = (overlaps: readonly number[]) =>
  fc.record({
    target,
    ifMatch,
    named: fc.constantFrom('next', 'next', 'next', 'current', 'other'),
    overlapSeconds: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(undefined, 0, ...overlaps) },
      { weight: 1, arbitrary: fc.constantFrom(-1, 0.5, 604_801) },
    ),
  });

export type SwitchChoice =
  ReturnType<typeof secretSwitch> extends fc.Arbitrary<infer T> ? T : never;

/** The text of a secret that is set; `undefined` for a choice that sets none. */
export const textOf = (
  choice: SecretChoice | undefined,
  known: { secret: string; everySecret: ReadonlySet<string> } | undefined,
): string | undefined => {
  if (choice === 'current') return known?.secret ?? 'a secret for the new';
  if (choice === 'former') return [...(known?.everySecret ?? [])].at(0) ?? 'a secret of no other';
  return choice?.startsWith('own ') ? choice : undefined;
};

/** The member as it is sent; absent where nothing is. */
export const sentSecret = (
  name: string,
  choice: SecretChoice | undefined,
  text: string | undefined,
): Record<string, string | null> => {
  if (choice === undefined || choice === 'absent') return {};
  return { [name]: choice === 'null' ? null : (text ?? choice) };
};
