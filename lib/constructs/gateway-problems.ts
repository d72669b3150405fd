import { STATUS_CODES } from 'node:http';
import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import {
  GATEWAY_PROBLEMS,
  type GatewayProblem,
  SECURITY_HEADERS,
} from '../../lambdas/api/runtime/gateway-problems.ts';
import { problemType } from '../../lambdas/api/runtime/problems.ts';

const {
  unauthorized,
  notFound,
  badRequest,
  tooLarge,
  unsupportedMediaType,
  throttled,
  internal,
  timeout,
} = GATEWAY_PROBLEMS;

/** Every answer API Gateway can give without one of our functions. */
const problems: readonly (readonly [ResponseType, GatewayProblem])[] = [
  [ResponseType.UNAUTHORIZED, unauthorized],
  // The authorizer denies nothing but tokens that are not valid, and the policy of the API other
  // roles of IAM. The functions check roles of users.
  [ResponseType.ACCESS_DENIED, unauthorized],
  [ResponseType.INVALID_API_KEY, unauthorized],
  // These three answer requests to paths without a method, where the gateway expects an AWS signature
  // in the Authorization header, and those without a valid one to the method that needs it.
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
  // The web ACL blocks for one reason only: too many requests.
  [ResponseType.WAF_FILTERED, throttled],
  [ResponseType.AUTHORIZER_FAILURE, internal],
  [ResponseType.AUTHORIZER_CONFIGURATION_ERROR, internal],
  [ResponseType.API_CONFIGURATION_ERROR, internal],
  [ResponseType.INTEGRATION_FAILURE, internal],
  [ResponseType.INTEGRATION_TIMEOUT, timeout],
  [ResponseType.DEFAULT_5XX, internal],
  // All documented types are above. AWS does not say which type answers a path without a method when
  // the Authorization header is no AWS signature: if it is none of them, it is this one.
  [ResponseType.DEFAULT_4XX, notFound],
];

interface GatewayProblemOptions {
  /** The origin whose pages may read the problems; without an origin, no page may. */
  readonly corsOrigin: string | undefined;
  /** The path that the API is served at, for the problems' `type`: templates cannot compute it. */
  readonly basePath: string;
}

export const addGatewayProblems = (
  api: RestApi,
  { corsOrigin, basePath }: GatewayProblemOptions,
): void => {
  for (const [type, problem] of problems) {
    api.addGatewayResponse(type.responseType, {
      type,
      statusCode: `${problem.status}`,
      // API Gateway takes a quoted value for a literal and an unquoted value for a mapping.
      responseHeaders: Object.fromEntries(
        Object.entries({
          'Content-Type': 'application/problem+json',
          ...SECURITY_HEADERS,
          ...problem.headers,
          ...(corsOrigin !== undefined && {
            'Access-Control-Allow-Origin': corsOrigin,
            'Access-Control-Expose-Headers': 'WWW-Authenticate, Retry-After',
          }),
        }).map(([name, value]) => [name, `'${value}'`]),
      ),
      templates: { 'application/json': body(problem, basePath) },
    });
  }
};

// The request ids of API Gateway are UUIDs; the access log has them as `requestId`.
const body = ({ kind, status, detail }: GatewayProblem, basePath: string): string =>
  JSON.stringify({
    type: problemType(kind, basePath),
    title: STATUS_CODES[status],
    status,
    detail,
    instance: 'urn:uuid:$context.requestId',
  });
