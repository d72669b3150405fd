import * as z from 'zod';
import { CHANGE_KINDS } from '../../../core/changes/change.ts';
import { presentChangeTypes } from '../../../core/changes/change-event.ts';
import type { Logger } from '../../runtime/reporting.ts';
import { HOUR_SECONDS, publicEndpoint, publicText } from '../runtime/public-endpoint.ts';
import { documentAnswers, PUBLIC_DOCUMENT, type Route } from '../runtime/route.ts';

const changeType = z.strictObject({
  kind: z.enum(CHANGE_KINDS),
  detailType: z.string().meta({ description: '`detail-type` of the event on the bus.' }),
  description: z.string().meta({ description: 'When it is published.' }),
  schema: z.record(z.string(), z.unknown()).meta({
    description: 'JSON Schema (2020-12) of `detail`. It allows members beyond those it names.',
  }),
  sample: z.record(z.string(), z.unknown()).meta({ description: 'A `detail`.' }),
});

const changeTypes = z
  .strictObject({ types: z.array(changeType) })
  .meta({ id: 'ChangeTypes', description: 'Every type of event on the bus of changes.' });

export const route = {
  ...PUBLIC_DOCUMENT,
  path: '/change-types',
  operationId: 'listChangeTypes',
  summary: 'List the events of changes',
  description:
    'For the platform: the events that tell of changes of integrations, on the event bus of the stage, each with a JSON Schema and a sample of its `detail`. `Accept` is not looked at.',
  answers: documentAnswers({
    description: 'The types.',
    schema: changeTypes,
    mediaType: 'application/json',
    examples: { all: { summary: 'All of them', value: presentChangeTypes() } },
  }),
  refusals: [],
} as const satisfies Route;

export const createHandler = (deps: { logger: Logger }) => {
  const text = publicText(JSON.stringify(presentChangeTypes()), {
    mediaType: 'application/json',
    maxAgeSeconds: HOUR_SECONDS,
  });
  return publicEndpoint(deps.logger, () => text);
};
