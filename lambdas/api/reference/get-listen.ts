import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as z from 'zod';
import type { Logger } from '../../runtime/reporting.ts';
import { basePath } from '../runtime/base-path.ts';
import { HOUR_SECONDS, publicEndpoint, publicText } from '../runtime/public-endpoint.ts';
import { headerOf } from '../runtime/request-headers.ts';
import { documentAnswers, PUBLIC_DOCUMENT, type Route } from '../runtime/route.ts';

export const route = {
  ...PUBLIC_DOCUMENT,
  path: '/listen.mjs',
  operationId: 'getListen',
  summary: 'Download the program that receives on localhost',
  description:
    'A program for Node 20 or later, in one file without dependencies: `node listen.mjs --help`. It reads an integration’s deliveries from this API and posts them to an address on your machine. `Accept` is not looked at.',
  answers: documentAnswers({
    description: 'The program, with the address of this API.',
    schema: z.string(),
    mediaType: 'text/javascript',
  }),
  refusals: [],
} as const satisfies Route;

export const createHandler = (deps: { program: string; version: string; logger: Logger }) =>
  publicEndpoint(deps.logger, (event) => {
    const text = filledIn(deps.program, { API: addressOf(event), VERSION: deps.version });
    return publicText(text, {
      mediaType: 'text/javascript; charset=utf-8',
      maxAgeSeconds: HOUR_SECONDS,
    });
  });

/** Gives empty constants of the program their values. Throws if the program has no such constant. */
const filledIn = (program: string, values: Readonly<Record<string, string>>): string =>
  Object.entries(values).reduce((text, [name, value]) => {
    const empty = `\nconst ${name} = '';\n`;
    if (!text.includes(empty)) throw new Error(`listen.mjs has no constant ${name}.`);
    return text.replace(empty, () => `\nconst ${name} = ${JSON.stringify(value)};\n`);
  }, program);

/** Empty if the request does not tell. The gateway accepts no `Host` but the names of the API. */
const addressOf = (event: APIGatewayProxyEvent): string => {
  const protocol = headerOf(event, 'x-forwarded-proto') ?? 'https';
  const address = `${protocol}://${headerOf(event, 'host') ?? ''}${basePath(event)}`;
  return URL.canParse(address) ? address : '';
};
