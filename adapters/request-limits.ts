/**
 * Limits of every call to an AWS service, well below a function's own timeout: the SDK waits
 * without end by default. Three tries, a second to connect, two for an answer: nine seconds at the worst.
 */
export const AWS_REQUEST_LIMITS = {
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
} as const;
