import { z } from 'zod';
import type { HttpAnswer, HttpRequest } from '../http-server.ts';
import { proxyAnswer } from '../rest-api/proxy-integration.ts';
import { notEmulated, type StackTemplate } from '../template/assembly.ts';
import { parseProperties, type Resource } from '../template/stacks.ts';
import type { FunctionPool } from './function-pool.ts';

const FUNCTION_URL = 'AWS::Lambda::Url';

/** Lambda's limit for a request. */
export const MAXIMUM_BYTES = 6 * 1024 * 1024;

const Properties = z.strictObject({
  AuthType: z.literal('NONE'),
  TargetFunctionArn: z.string(),
});

export const hasFunctionUrl = (stacks: readonly StackTemplate[]): boolean =>
  stacks.some(({ template }) =>
    Object.values(template.Resources).some(({ Type }) => Type === FUNCTION_URL),
  );

export type AnswerFunctionUrl = (request: HttpRequest) => Promise<HttpAnswer | number>;

/** undefined when no function has a URL. */
export const createFunctionUrl = (
  resources: readonly Resource[],
  poolOf: (functionArn: string) => FunctionPool,
): AnswerFunctionUrl | undefined => {
  const [url, another] = resources.filter(({ type }) => type === FUNCTION_URL);
  if (!url) return undefined;
  if (another) throw notEmulated(another.path, 'a second function URL');
  const pool = poolOf(parseProperties(url, Properties).TargetFunctionArn);
  return async (request) => {
    if (request.tooLarge) return 413;
    try {
      return proxyAnswer(await pool.invoke(eventOf(request))) ?? 502;
    } catch {
      return 502;
    }
  };
};

/** The event of a function URL, version 2.0, as far as our functions may need it. */
const eventOf = ({ method, path, query, headers, sourceIp, body }: HttpRequest) => {
  const isText = /^(text\/|application\/(json|javascript|xml)\b)/.test(
    headers['content-type'] ?? '',
  );
  return {
    version: '2.0',
    rawPath: path,
    rawQueryString: query.toString(),
    headers,
    requestContext: { http: { method, path, sourceIp } },
    ...(body.length > 0 && { body: body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !isText,
  };
};
