import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

const NAME = 'loseFirstAnswer';

/**
 * Does an action while the answer to its first request is lost. The SDK then sends the request
 * again. `meanwhile` happens between the two.
 */
export const losingFirstAnswer = async <Result>(
  client: DynamoDBDocumentClient,
  action: () => Promise<Result>,
  { meanwhile = async (): Promise<unknown> => undefined } = {},
): Promise<Result> => {
  let isLost = false;
  client.middlewareStack.add(
    (next) => async (request) => {
      const answer = await next(request);
      if (isLost) return answer;
      isLost = true;
      await meanwhile();
      throw Object.assign(new Error('The answer was lost.'), { name: 'TimeoutError' });
    },
    // Within the SDK's retries, around the reading of each answer.
    { name: NAME, step: 'deserialize', priority: 'high' },
  );
  try {
    return await action();
  } finally {
    client.middlewareStack.remove(NAME);
  }
};
