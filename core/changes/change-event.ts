import * as z from 'zod';
import { presentReason } from '../integration/reason-resource.ts';
import {
  CHANGE_KINDS,
  type Change,
  type ChangeKind,
  changeResource,
  KIND_MEANINGS,
} from './change-resource.ts';

/** `source` of the events on the bus. */
export const CHANGE_EVENT_SOURCE = 'integrations';

/** Such as "Integration settings changed". */
export const detailTypeOf = (kind: ChangeKind): string =>
  `Integration ${kind.replaceAll('-', ' ')}`;

const { members, statusCode, reason, detail, since, endedBy, count, ...ofEvery } =
  changeResource.shape;
const trouble = { statusCode, reason, detail, since: since.nonoptional() };

const OF_KIND: Partial<Record<ChangeKind, z.ZodRawShape>> = {
  'settings-changed': { members: members.nonoptional() },
  busy: trouble,
  failed: trouble,
  recovered: { ...trouble, endedBy: endedBy.nonoptional() },
  'event-set-aside': { count: count.nonoptional() },
};

/** A change of the kind as it is published now. */
export const changeOf = (kind: ChangeKind) =>
  z.strictObject({ ...ofEvery, kind: z.literal(kind), ...OF_KIND[kind] });

const STOPPED = { by: 'service', since: '2026-11-20T12:00:00.000Z' } as const;

const SAMPLES: Partial<Record<ChangeKind, Partial<Change>>> = {
  'settings-changed': {
    members: [
      { name: 'config.baseUrl', from: 'https://example.com/…', to: 'https://hooks.example.com/…' },
    ],
  },
  busy: { ...STOPPED, ...presentReason('response-timeout') },
  failed: { ...STOPPED, statusCode: 500 },
  recovered: {
    by: 'service',
    since: '2026-11-20T09:30:00.000Z',
    statusCode: 500,
    endedBy: 'success',
  },
  'event-set-aside': { by: 'service', count: 1 },
};

/** An example of a change of each kind. */
export const sampleChange = (kind: ChangeKind): Change => ({
  '@context': '/contexts/Change.jsonld',
  '@type': 'Change',
  id: `/acme/changes/chg_700000000000000000001-${kind}`,
  kind,
  at: '2026-11-20T12:00:00.000Z',
  account: '/accounts/acme',
  integration: '/integrations/a1B2c3D4e5F6',
  baseUrl: 'https://hooks.example.com/…',
  by: { user: '/users/u_1', token: 'tok_0123456789abcdef' },
  ...SAMPLES[kind],
});

/** The events on the bus. Their details are changes, with the members that later versions add. */
export const presentChangeTypes = () => ({
  types: CHANGE_KINDS.map((kind) => ({
    kind,
    detailType: detailTypeOf(kind),
    description: KIND_MEANINGS[kind],
    // The spread leaves out the validator that zod attaches to the schema.
    schema: { ...z.toJSONSchema(changeOf(kind), { override: allowMembers }) },
    sample: sampleChange(kind),
  })),
});

const allowMembers = ({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void => {
  delete jsonSchema.additionalProperties;
};
