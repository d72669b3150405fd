import {
  type CloudFormationClient,
  CloudFormationServiceException,
  DescribeStacksCommand,
} from '@aws-sdk/client-cloudformation';

export interface Stack {
  readonly name: string;
  /** In CloudFormation's words, such as UPDATE_COMPLETE. */
  readonly status: string;
  readonly updatedAt: Date | undefined;
  readonly outputs: Readonly<Record<string, string>>;
}

/** undefined when there is no stack of that name. */
export const readStack = async (
  client: CloudFormationClient,
  name: string,
): Promise<Stack | undefined> => {
  try {
    const { Stacks: [stack] = [] } = await client.send(
      new DescribeStacksCommand({ StackName: name }),
    );
    return {
      name,
      status: stack?.StackStatus ?? 'unknown',
      updatedAt: stack?.LastUpdatedTime ?? stack?.CreationTime,
      outputs: Object.fromEntries(
        (stack?.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [
          OutputKey,
          OutputValue,
        ]),
      ),
    };
  } catch (error) {
    if (isNoSuchStack(error)) return undefined;
    throw error;
  }
};

/** CloudFormation has no separate error for a missing stack: only the message shows it. */
const isNoSuchStack = (error: unknown): boolean =>
  error instanceof CloudFormationServiceException &&
  error.name === 'ValidationError' &&
  error.message.endsWith('does not exist');
