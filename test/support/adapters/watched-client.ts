import { BatchExecuteStatementCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

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
  return { client: { send } as unknown as DynamoDBDocumentClient, sent };
};

/** The names of the operations that commands ask for, such as `PutItem` or `UpdateItem`. */
export const operationsOf = (sent: readonly object[]): string[] =>
  sent.map((command) => {
    const name = command.constructor.name.replace(/Command$/, '');
    return /^(Put|Get|Update|Delete)$/.test(name) ? `${name}Item` : name;
  });
