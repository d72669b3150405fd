import { arn } from '../arn.ts';
import type { HttpAnswer } from '../http-server.ts';
import type { ResolvedStack, StackOutput } from '../template/stacks.ts';
import { AwsError, escapeXml, xmlAnswer } from './answers.ts';

/**
 * CloudFormation's DescribeStacks, which gives clients the names of tables and queues. Without
 * `stackName`, it describes all stacks; throws AwsError when there is no stack of that name.
 */
export const describeStacks = (
  stacks: readonly ResolvedStack[],
  stackName: string | null,
): HttpAnswer => {
  const described = stackName
    ? stacks.filter((stack) => [stack.stackName, stackId(stack)].includes(stackName))
    : stacks;
  if (stackName && described.length === 0) {
    throw new AwsError('ValidationError', `Stack with id ${stackName} does not exist`);
  }
  return xmlAnswer(
    '<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/">' +
      `<DescribeStacksResult><Stacks>${described.map(stackXml).join('')}</Stacks>` +
      '</DescribeStacksResult></DescribeStacksResponse>',
  );
};

const stackId = ({ stackName }: ResolvedStack): string =>
  arn('cloudformation', `stack/${stackName}/local`);

const CREATED_AT = new Date().toISOString();

const stackXml = (stack: ResolvedStack): string =>
  `<member><StackName>${escapeXml(stack.stackName)}</StackName>` +
  `<StackId>${escapeXml(stackId(stack))}</StackId>` +
  `<CreationTime>${CREATED_AT}</CreationTime><StackStatus>CREATE_COMPLETE</StackStatus>` +
  `<Outputs>${stack.outputs.map(outputXml).join('')}</Outputs></member>`;

const outputXml = ({ key, value, exportName }: StackOutput): string =>
  `<member><OutputKey>${escapeXml(key)}</OutputKey><OutputValue>${escapeXml(value)}</OutputValue>` +
  `${exportName ? `<ExportName>${escapeXml(exportName)}</ExportName>` : ''}</member>`;
