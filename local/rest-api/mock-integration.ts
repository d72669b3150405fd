import type { HttpAnswer } from '../http-server.ts';
import type { Integration } from './api-definition.ts';
import { type RequestContext, substituteContext } from './request-context.ts';

/** Of VTL only `$context.…` is emulated. Undefined when no response is configured for the status. */
export const mockAnswer = (
  { requestTemplate, responses }: Extract<Integration, { kind: 'mock' }>,
  context: RequestContext,
): HttpAnswer | undefined => {
  const [, status] = /"?statusCode"?\s*:\s*"?(\d{3})/.exec(requestTemplate) ?? [];
  const response = responses.find((candidate) => candidate.status === status);
  if (!response) return undefined;
  const [[contentType, template] = ['application/json', '']] = Object.entries(response.templates);
  const headers = new Map([['content-type', contentType]]);
  for (const [name, expression] of Object.entries(response.headers)) {
    const header = name.replace('method.response.header.', '').toLowerCase();
    headers.set(header, expression.replace(/^'(.*)'$/s, '$1'));
  }
  return {
    status: Number(response.status),
    headers: [...headers],
    body: substituteContext(template, context),
  };
};
