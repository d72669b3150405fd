import { SECURITY_HEADERS } from '../../../lambdas/api/runtime/gateway-problems.ts';
import { expandsWithoutLoss } from '../lambdas/json-ld.ts';
import { createAnswerCheck, type OpenApiDocument } from '../lambdas/openapi.ts';
import { hostOf } from './base-path.ts';

interface GivenAnswer {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Throws unless an answer of the API matches the API's own documents. */
export type CheckAnswer = (answer: GivenAnswer) => Promise<void>;

/**
 * Checks answers against the OpenAPI document and the JSON-LD contexts that the service under test
 * serves. Reads each of them once. An unknown route may only be answered with 404.
 */
export const createDocumentedAnswers = (api: string): CheckAnswer => {
  let check: Promise<ReturnType<typeof createAnswerCheck>> | undefined;
  const contexts = new Map<string, Promise<object>>();
  const readJson = async (url: string): Promise<unknown> => {
    const response = await fetch(url);
    if (response.ok) return response.json();
    throw new Error(`${url} is answered with ${response.status}.`);
  };
  const loadContext = (path: string): Promise<object> => {
    const read = contexts.get(path) ?? (readJson(hostOf(api) + path) as Promise<object>);
    contexts.set(path, read);
    return read;
  };

  return async ({ method, path, status, headers, text }) => {
    check ??= readJson(`${api}/openapi.json`).then(
      (document) => createAnswerCheck(document as OpenApiDocument),
      (fault) => {
        // One answer that failed fails one test, not all.
        check = undefined;
        throw fault;
      },
    );
    // The gateway adds a media type to answers without a body as well.
    const mediaType = text === '' ? undefined : (headers.get('content-type') ?? undefined);
    const body = /json/.test(mediaType ?? '') ? JSON.parse(text) : text;
    const answer = { method, path: path.split('?')[0] ?? '', status, mediaType, body };
    const faults = [...missingHeadersOf(headers), ...faultsOf(await check, answer)];
    if (faults.length > 0) {
      throw new Error(`${method} ${path} is not as documented: ${faults.join(' ')} ${text}`);
    }
    if (body['@type'] !== undefined) await expandsWithoutLoss(body, loadContext);
  };
};

const missingHeadersOf = (headers: Headers): string[] =>
  Object.entries(SECURITY_HEADERS)
    .filter(([name, value]) => headers.get(name) !== value)
    .map(([name]) => `It has no ${name}.`);

const faultsOf = (
  check: ReturnType<typeof createAnswerCheck>,
  answer: Parameters<ReturnType<typeof createAnswerCheck>>[0],
): string[] => {
  try {
    return check(answer);
  } catch (noSuchRoute) {
    return answer.status === 404 ? [] : [String(noSuchRoute)];
  }
};
