import * as z from 'zod';
import { CHANGE_KINDS, type Change, type ChangeKind, ENDED_BY } from './change.ts';

const instant = (description: string) => z.iso.datetime().meta({ description });

const value = z.union([z.string(), z.boolean()]).optional();

const ofEvery = {
  version: z.literal(1).meta({ description: 'Grows when a member changes its meaning.' }),
  id: z
    .string()
    .meta({ description: 'The same for each repetition: events are published at least once.' }),
  at: instant('When it happened.'),
  account: z.string().meta({ description: 'The primary account.' }),
  integration: z.string().meta({ description: 'The integration’s path.' }),
  baseUrl: z.string().meta({ description: 'The webhook’s scheme and host; `…` for the rest.' }),
  description: z.string().optional().meta({ description: 'The description of the webhook.' }),
  by: z
    .looseObject({
      kind: z.enum(['user', 'operator', 'service']),
      user: z.string().optional(),
      token: z.string().optional().meta({ description: 'The id of the user’s access token.' }),
    })
    .meta({ description: 'Who made the change.' }),
};

const members = z
  .array(
    z.looseObject({
      member: z.string().meta({ description: 'As a path, such as `config.baseUrl`.' }),
      from: value,
      to: value,
    }),
  )
  .meta({
    description: 'The changed members. Secrets, headers, paths and queries have no values.',
  });

const cause = {
  statusCode: z
    .int()
    .optional()
    .meta({ description: 'The status code of the latest error, if there was an answer.' }),
  reason: z
    .string()
    .optional()
    .meta({ description: 'Why there was no answer, by a name that `GET /reasons` lists.' }),
  since: instant('When the state began.'),
};

const recovered = {
  ...cause,
  endedBy: z.enum(ENDED_BY).meta({
    description: 'A success, changed settings, a user’s request, or no pending event.',
  }),
};

const entry = (detailType: string, description: string, others: z.ZodRawShape = {}) => ({
  detailType,
  description,
  schema: z.looseObject({ ...ofEvery, ...others }),
});

/** The events on the bus: for each kind of change its detail type and the schema of its detail. */
export const CHANGE_EVENTS = {
  created: entry('Integration created', 'A user created an integration.'),
  'settings-changed': entry('Integration settings changed', 'Its settings changed.', { members }),
  'secret-rotated': entry('Integration secret rotated', 'Its webhook secret was replaced.'),
  activated: entry('Integration activated', 'It was activated.'),
  deactivated: entry('Integration deactivated', 'It was deactivated.'),
  deleted: entry('Integration deleted', 'It was deleted.'),
  busy: entry(
    'Integration busy',
    'Its endpoint does not answer, or answers 504. Its events are pending.',
    cause,
  ),
  failed: entry(
    'Integration failed',
    'Its endpoint refused an event. Its events are pending.',
    cause,
  ),
  recovered: entry('Integration recovered', 'It is no longer busy or failed.', recovered),
  'event-set-aside': entry(
    'Integration event set aside',
    'Its endpoint repeatedly refused an event and confirmed others. The event is no longer sent.',
    { count: z.int().min(1).meta({ description: 'The number of events.' }) },
  ),
} as const satisfies Record<ChangeKind, ReturnType<typeof entry>>;

/** `source` of the events on the bus. */
export const CHANGE_EVENT_SOURCE = 'integrations';

/** The detail of a change's event. */
export const changeDetail = ({ kind: _, integration, ...change }: Change) => ({
  version: 1,
  ...change,
  integration: `/integrations/${integration}`,
});

const SAMPLES: Partial<Record<ChangeKind, Partial<Change>>> = {
  'settings-changed': {
    members: [
      {
        member: 'config.baseUrl',
        from: 'https://example.com/…',
        to: 'https://hooks.example.com/…',
      },
    ],
  },
  busy: { reason: 'response-timeout', since: '2026-11-20T12:00:00.000Z' },
  failed: { statusCode: 500, since: '2026-11-20T12:00:00.000Z' },
  recovered: {
    statusCode: 500,
    since: '2026-11-20T09:30:00.000Z',
    endedBy: 'success',
  },
  'event-set-aside': { count: 1 },
};

const MADE_BY_THE_SERVICE: readonly ChangeKind[] = [
  'busy',
  'failed',
  'recovered',
  'event-set-aside',
];

/** An example of a change of each kind. */
export const sampleChange = (kind: ChangeKind): Change => ({
  id: `chg_700000000000000000001-${kind}`,
  kind,
  at: '2026-11-20T12:00:00.000Z',
  account: 'acme',
  integration: 'a1B2c3D4e5F6',
  baseUrl: 'https://hooks.example.com/…',
  by: MADE_BY_THE_SERVICE.includes(kind)
    ? { kind: 'service' }
    : { kind: 'user', user: 'u_1', token: 'tok_0123456789abcdef' },
  ...SAMPLES[kind],
});

export const presentChangeTypes = () => ({
  types: CHANGE_KINDS.map((kind) => {
    const { detailType, description, schema } = CHANGE_EVENTS[kind];
    return {
      kind,
      detailType,
      description,
      // The spread leaves out the validator that zod attaches to the schema.
      schema: { ...z.toJSONSchema(schema) },
      sample: changeDetail(sampleChange(kind)),
    };
  }),
});
