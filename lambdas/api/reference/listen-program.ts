import type { APIGatewayProxyEvent } from 'aws-lambda';
import { basePath } from '../runtime/base-path.ts';
import { headerOf } from '../runtime/request-headers.ts';

/** `listen.mjs` with the address that the request reads it at. */
export const listenProgram = (
  program: string,
  { event, version }: { event: APIGatewayProxyEvent; version: string },
): string => filledIn(program, { API: addressOf(event), VERSION: version });

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
