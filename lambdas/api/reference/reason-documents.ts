import * as z from 'zod';
import { OUTCOMES } from '../../../core/delivery/attempt.ts';
import { pathParameter } from '../runtime/path-parameter.ts';
import { type Explanation, explanationRoute } from './explanation.ts';
import { entryList, jsonSample, paragraph, section } from './html-page.ts';
import { REASON_PAGES, type ReasonPage, reasonPageOf } from './reason-pages.ts';

const reasonPageResource = z
  .strictObject({
    id: z.string().meta({ description: 'Path of this page.' }),
    title: z.string().meta({ description: 'For people.' }),
    outcome: z.enum(OUTCOMES).meta({ description: 'The `outcome` of the attempt.' }),
    meaning: z.string().meta({ description: 'What happened, and what the service does.' }),
    remedy: z.string().meta({ description: 'What to do about it.' }),
    example: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The members of an attempt that show it.' }),
  })
  .meta({ id: 'ReasonPage', description: 'What the result of an attempt means.' });

const reasonPages = z.strictObject({ reasons: z.array(reasonPageResource) }).meta({
  id: 'ReasonPages',
  description: 'Every reason, then the usual status codes.',
});

const REASON_LIST = { reasons: REASON_PAGES };

const LIST: Explanation = {
  title: 'Results of attempts',
  document: REASON_LIST,
  html: (base) => [
    paragraph(
      'Why a delivery was not confirmed: every `reason`, then the usual status codes. Any other status code has a page at `/reasons/status-` and its number.',
    ),
    entryList(
      REASON_PAGES.map(({ id, title, remedy }) => ({
        href: base + id,
        name: title,
        description: remedy,
      })),
    ),
  ],
};

export const listReasons = explanationRoute({
  path: '/reasons',
  operationId: 'listReasons',
  summary: 'List the results of attempts',
  description:
    'Every `reason` of an attempt without an answer, and the usual status codes of answers.',
  answer: 'The reasons.',
  schema: reasonPages,
  examples: { all: { summary: 'All of them', value: REASON_LIST } },
  find: () => LIST,
});

const explanationOf = (page: ReasonPage): Explanation => ({
  title: page.title,
  document: { ...page },
  html: () => [
    section('What it means', paragraph(page.meaning)),
    section('What to do', paragraph(page.remedy)),
    section('Example', jsonSample(page.example)),
  ],
});

export const getReason = explanationRoute({
  path: '/reasons/{reason}',
  operationId: 'getReason',
  summary: 'Get the meaning of a result',
  description:
    'What the `reason` or the `statusCode` of a delivery’s attempt means, and what to do about it.',
  answer: 'The reason.',
  schema: reasonPageResource,
  examples: { tls: { summary: 'No secure connection', value: reasonPageOf('tls-failure') } },
  find: (event) => {
    const page = reasonPageOf(pathParameter(event, 'reason') ?? '');
    return page && explanationOf(page);
  },
});
