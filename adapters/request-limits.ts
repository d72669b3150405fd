/**
 * Limits of every call to an AWS service, well below a function's own timeout: the SDK waits
 * without end by default. Three tries, a second to connect, three for an answer.
 */
export const AWS_REQUEST_LIMITS = {
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
} as const;
