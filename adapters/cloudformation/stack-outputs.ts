import {
  type CloudFormationClient,
  CloudFormationServiceException,
  DescribeStacksCommand,
} from '@aws-sdk/client-cloudformation';

/** A stack's outputs by key; undefined when there is no stack of that name. */
export const readStackOutputs = async (
  client: CloudFormationClient,
  stackName: string,
): Promise<Readonly<Record<string, string>> | undefined> => {
  try {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: stackName }));
    const outputs = Stacks.flatMap(({ Outputs = [] }) => Outputs);
    return Object.fromEntries(
      outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
    );
  } catch (error) {
    if (isNoSuchStack(error)) return undefined;
    throw error;
  }
};

/** CloudFormation has no error of its own for a missing stack: only the message tells. */
const isNoSuchStack = (error: unknown): boolean =>
  error instanceof CloudFormationServiceException &&
  error.name === 'ValidationError' &&
  error.message.endsWith('does not exist');
