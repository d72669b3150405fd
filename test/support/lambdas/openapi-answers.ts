import {
  createSchemaCheck,
  type OpenApiDocument,
  type OperationObject,
  operationsOf,
  responseOf,
} from './openapi.ts';

interface ReceivedAnswer {
  readonly method: string;
  /** Without the stage's, and without a query. */
  readonly path: string;
  readonly status: number;
  /** The Content-Type; undefined for an answer without a body. */
  readonly mediaType: string | undefined;
  /** As parsed, where it is JSON. */
  readonly body: unknown;
}

/**
 * Checks answers against what the document tells of them: what is wrong, empty when nothing is.
 * Throws for a call of a route that there is not.
 */
export const createAnswerCheck = (document: OpenApiDocument) => {
  const faultsOf = createSchemaCheck(document);
  const operationFor = createOperationSearch(document);
  return ({ method, path, status, mediaType, body }: ReceivedAnswer): string[] => {
    const response = responseOf(document, operationFor(method, path), status);
    if (response === undefined) return [`The status ${status} is not told.`];
    const told = Object.keys(response.content ?? {});
    const content = response.content?.[mediaType?.split(';')[0] ?? ''];
    if (content !== undefined) return faultsOf(content.schema, body);
    return told.length === 0 ? [] : [`It is ${mediaType}, not ${told.join(' or ')}.`];
  };
};

const createOperationSearch = (document: OpenApiDocument) => {
  const operations = operationsOf(document)
    .map(({ path, ...rest }) => ({ ...rest, path, pattern: patternOf(path) }))
    // The more literal path first, as the gateway chooses.
    .sort((left, right) => literalness(left.path).localeCompare(literalness(right.path)));
  return (method: string, path: string): OperationObject => {
    const found = operations.find(
      (candidate) => candidate.method === method.toLowerCase() && candidate.pattern.test(path),
    );
    if (found === undefined) throw new Error(`There is no ${method} ${path}.`);
    return found.operation;
  };
};

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`);

const literalness = (path: string): string =>
  path
    .split('/')
    .map((segment) => (segment.startsWith('{') ? '1' : '0'))
    .join('');
