import * as z from 'zod';
import { OUTCOMES } from '../../../core/delivery/attempt.ts';
import type { Logger } from '../../runtime/reporting.ts';
import { pathParameter } from '../runtime/path-parameter.ts';
import { publicEndpoint } from '../runtime/public-endpoint.ts';
import { documentAnswers, PUBLIC_DOCUMENT, type Route } from '../runtime/route.ts';
import { ACCEPT_OF_EXPLANATIONS, type Explanation, explained } from './explanation.ts';
import { entryList, jsonSample, link, paragraph, section } from './html-page.ts';
import { type ReasonPage, reasonPageOf } from './reason-pages.ts';

const remedy = z.string().meta({ description: 'What to do about it.' });

export const reasonPageResource = z
  .strictObject({
    id: z.string().meta({ description: 'Path of this page.' }),
    title: z.string().meta({ description: 'For people.' }),
    outcome: z.enum(OUTCOMES).meta({ description: 'The `outcome` of such an attempt.' }),
    meaning: z.string().meta({ description: 'What happened, and what the service does.' }),
    remedy,
    codes: z
      .array(z.strictObject({ code: z.string(), remedy }))
      .meta({ description: 'What to do where the attempt has one of these as its `code`.' }),
    example: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The members of an attempt that tell it.' }),
  })
  .meta({ id: 'ReasonPage', description: 'What the result of an attempt means.' });

export const route = {
  ...PUBLIC_DOCUMENT,
  path: '/reasons/{reason}',
  operationId: 'getReason',
  summary: 'Read what the result of an attempt means',
  description: `What the \`reason\`, the \`code\` or the \`statusCode\` of a delivery’s attempt means, and what to do about it. ${ACCEPT_OF_EXPLANATIONS}`,
  answers: documentAnswers(
    {
      description: 'The reason.',
      schema: reasonPageResource,
      mediaType: 'application/json',
      examples: {
        tls: { summary: 'No secure connection', value: reasonPageOf('tls-failure') },
      },
    },
    { description: 'The reason.', schema: z.string(), mediaType: 'text/html' },
  ),
  refusals: ['not-found'],
} as const satisfies Route;

export const createHandler = (deps: { logger: Logger }) =>
  publicEndpoint(deps.logger, (event) => {
    const page = reasonPageOf(pathParameter(event, 'reason') ?? '');
    return page && explained(explanationOf(page), event);
  });

const explanationOf = (page: ReasonPage): Explanation => ({
  title: page.title,
  document: { ...page },
  html: (base) => [
    section('What it means', paragraph(page.meaning)),
    section('What to do', paragraph(page.remedy), ...codesOf(page)),
    section('Example', jsonSample(page.example)),
    section('More', link(`${base}/reasons`, 'All reasons')),
  ],
});

/** The console leads to a code by its name. */
const codesOf = ({ codes }: ReasonPage) =>
  codes.length === 0
    ? []
    : [entryList(codes.map(({ code, remedy }) => ({ id: code, name: code, description: remedy })))];
