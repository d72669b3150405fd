import { STATUS_CODES } from 'node:http';
import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';

interface Problem {
  readonly slug: string;
  readonly status: number;
  readonly detail: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const unauthorized: Problem = {
  slug: 'unauthorized',
  status: 401,
  detail: 'A valid access token is needed: Authorization: Bearer <token>.',
  headers: { 'WWW-Authenticate': 'Bearer' },
};
const forbidden: Problem = {
  slug: 'forbidden',
  status: 403,
  detail: 'The access token does not allow this.',
};
const notFound: Problem = {
  slug: 'not-found',
  status: 404,
  detail: 'There is nothing at this address for this method.',
};
const badRequest: Problem = {
  slug: 'bad-request',
  status: 400,
  detail: 'The request could not be understood.',
};
const tooLarge: Problem = {
  slug: 'payload-too-large',
  status: 413,
  detail: 'The body is larger than this API accepts.',
};
const unsupportedMediaType: Problem = {
  slug: 'unsupported-media-type',
  status: 415,
  detail: 'The Content-Type of the body is not one this API reads.',
};
const throttled: Problem = {
  slug: 'throttled',
  status: 429,
  detail: 'Requests come faster than allowed. Try again later.',
};
const internal: Problem = {
  slug: 'internal',
  status: 500,
  detail: 'Something went wrong on our side.',
};
const timeout: Problem = { ...internal, status: 504, detail: 'The answer took too long.' };

/** Every answer API Gateway can give without one of our functions. */
const problems: readonly (readonly [ResponseType, Problem])[] = [
  [ResponseType.UNAUTHORIZED, unauthorized],
  [ResponseType.ACCESS_DENIED, forbidden],
  [ResponseType.WAF_FILTERED, forbidden],
  [ResponseType.INVALID_API_KEY, forbidden],
  // No method here uses IAM. These three come of addresses without a method only: the gateway
  // then tries to read the Authorization header as an AWS signature, and fails, or misses it.
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, notFound],
  [ResponseType.INVALID_SIGNATURE, notFound],
  [ResponseType.EXPIRED_TOKEN, notFound],
  [ResponseType.RESOURCE_NOT_FOUND, notFound],
  [ResponseType.BAD_REQUEST_BODY, badRequest],
  [ResponseType.BAD_REQUEST_PARAMETERS, badRequest],
  [ResponseType.REQUEST_TOO_LARGE, tooLarge],
  [ResponseType.UNSUPPORTED_MEDIA_TYPE, unsupportedMediaType],
  [ResponseType.THROTTLED, throttled],
  [ResponseType.QUOTA_EXCEEDED, throttled],
  [ResponseType.AUTHORIZER_FAILURE, internal],
  [ResponseType.AUTHORIZER_CONFIGURATION_ERROR, internal],
  [ResponseType.API_CONFIGURATION_ERROR, internal],
  [ResponseType.INTEGRATION_FAILURE, internal],
  [ResponseType.INTEGRATION_TIMEOUT, timeout],
  [ResponseType.DEFAULT_5XX, internal],
  [ResponseType.DEFAULT_4XX, badRequest],
];

export const addGatewayProblems = (api: RestApi): void => {
  for (const [type, problem] of problems) {
    api.addGatewayResponse(type.responseType, {
      type,
      statusCode: `${problem.status}`,
      // A quoted value is a literal to API Gateway, an unquoted one a mapping.
      responseHeaders: Object.fromEntries(
        Object.entries({ 'Content-Type': 'application/problem+json', ...problem.headers }).map(
          ([name, value]) => [name, `'${value}'`],
        ),
      ),
      templates: { 'application/json': body(problem) },
    });
  }
};

// API Gateway's request ids are UUIDs, and the access log has them.
const body = ({ slug, status, detail }: Problem): string =>
  JSON.stringify({
    type: `urn:service:problem:${slug}`,
    title: STATUS_CODES[status],
    status,
    detail,
    instance: 'urn:uuid:$context.requestId',
  });
