import { BatchExecuteStatementCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

interface Wishes {
  /** Of each batch so many first statements are left undone, as when DynamoDB throttles them. */
  readonly undone?: number;
  /** Told of each command before the client sends it; what it throws is the command's fault. */
  readonly onCommand?: (command: object) => unknown;
}

/** A client, and the commands that it was given to send. */
export const watchedClient = (
  client: DynamoDBDocumentClient,
  { undone = 0, onCommand = () => {} }: Wishes = {},
): { client: DynamoDBDocumentClient; sent: readonly object[] } => {
  const sent: object[] = [];
  const send = async (command: object) => {
    sent.push(command);
    await onCommand(command);
    if (undone === 0 || !(command instanceof BatchExecuteStatementCommand)) {
      return client.send(command as never);
    }
    const { Statements = [] } = command.input;
    const { Responses = [] } = await client.send(
      new BatchExecuteStatementCommand({ Statements: Statements.slice(undone) }),
    );
    const throttled = Array(undone).fill({ Error: { Code: 'ThrottlingError' } });
    return { Responses: [...throttled, ...Responses] };
  };
  // The paginators of the SDK look at the class.
  return { client: Object.setPrototypeOf({ send }, DynamoDBDocumentClient.prototype), sent };
};

/** The names of the operations that commands ask for, such as `PutItem` or `UpdateItem`. */
export const operationsOf = (sent: readonly object[]): string[] =>
  sent.map((command) => {
    const name = command.constructor.name.replace(/Command$/, '');
    return /^(Put|Get|Update|Delete)$/.test(name) ? `${name}Item` : name;
  });

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
