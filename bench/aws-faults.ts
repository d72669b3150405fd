import { AwsError, jsonError } from '../local/aws/answers.ts';
import type { AwsRequest } from '../local/aws/aws-request.ts';
import type { Intercept } from '../local/aws/endpoint.ts';
import { Random } from '../test/simulation/random.ts';

/**
 * Fails calls of DynamoDB and SQS that functions make, repeated tries of the SDK included. Half of
 * them are answered 500 and have no effect. The other half have their effect, and the connection
 * breaks before the answer.
 */
export class AwsFaults {
  /** Of the calls, from 0 to 1. */
  share = 0;
  calls = 0;
  withoutEffect = 0;
  withoutAnswer = 0;
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  readonly intercept: Intercept = async (request, answer) => {
    if (!isOfFunction(request)) return answer();
    this.calls += 1;
    if (!this.#random.happens(this.share)) return answer();
    if (this.#random.happens(0.5)) {
      this.withoutEffect += 1;
      return jsonError(new AwsError('InternalServerError', 'Planted.', 500));
    }
    this.withoutAnswer += 1;
    await answer();
    throw new Error('The answer is lost.');
  };
}

/** A function names itself. */
export const isOfFunction = ({ headers }: AwsRequest): boolean =>
  /^(AmazonSQS|DynamoDB_20120810)\./.test(String(headers['x-amz-target'])) &&
  String(headers['user-agent']).startsWith('integrations/');
