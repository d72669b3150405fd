/**
 * By their names: errors of our code, and those by which AWS says that a request has wrong content.
 * Others may pass: throttling, outages, missing permissions or resources.
 */
const LASTING: ReadonlySet<string> = new Set([
  'RangeError',
  'TypeError',
  // DynamoDB and EventBridge
  'SerializationException',
  'ValidationException',
  // SQS
  'BatchRequestTooLong',
  'InvalidMessageContents',
  'InvalidParameterValue',
  'InvalidParameterValueException',
]);

/** Whether the same call would fail again, because of what it says. */
export const isLasting = (fault: unknown): boolean =>
  fault instanceof Error && LASTING.has(fault.name);
