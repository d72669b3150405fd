import { ACCOUNT_ID, arn, iamArn } from '../arn.ts';
import { type HttpAnswer, type ListeningServer, startHttpServer } from '../http-server.ts';
import type { AccessGuard } from '../iam/access-guard.ts';
import { answerSchedulerRequest } from '../scheduler/scheduler-api.ts';
import type { Schedules } from '../scheduler/schedules.ts';
import type { ResolvedStack, StackOutput } from '../template/stacks.ts';
import {
  type AnswerAws,
  AwsError,
  type AwsRequest,
  escapeXml,
  jsonError,
  MAXIMUM_REQUEST_BYTES,
  type ParsedAwsRequest,
  parseRequest,
  xmlAnswer,
  xmlError,
} from './aws-request.ts';
import { EVENTBRIDGE_TARGET, type EventBuses } from './event-buses.ts';
import type { Keys } from './keys.ts';
import { type Mails, SES_PATH } from './mails.ts';
import { answerMetricsRequest, CLOUDWATCH_TARGET } from './queue-metrics.ts';
import type { Queues } from './queues.ts';
import type { Tables } from './tables.ts';

export interface AwsServices {
  queues: Queues;
  tables: Tables;
  keys: Keys;
  buses: EventBuses;
  mails: Mails;
  schedules: Schedules;
  stacks: () => readonly ResolvedStack[];
  intercept?: Intercept | undefined;
  access: () => AccessGuard | undefined;
}

/** `answer` carries out the request and answers it. A throw breaks the connection. */
export type Intercept = (
  request: AwsRequest,
  answer: () => Promise<HttpAnswer>,
) => Promise<HttpAnswer>;

/** Starts one server for all AWS APIs. `createServices` gets its origin, for URLs of queues. */
export const startAwsEndpoint = async (
  port: number,
  createServices: (origin: string) => AwsServices,
): Promise<{ server: ListeningServer; services: AwsServices; answerAws: AnswerAws }> => {
  let services: AwsServices | undefined;
  const answerAws: AnswerAws = (request) => {
    const answerIt = () => answer(request, services);
    return services?.intercept?.(request, answerIt) ?? answerIt();
  };
  const server = await startHttpServer({
    port,
    portOption: '--aws-port',
    maximumBodyBytes: MAXIMUM_REQUEST_BYTES,
    forProgramsOnly: true,
    handle: answerAws,
  });
  services = createServices(server.origin);
  return { server, services, answerAws };
};

const answer = async (request: AwsRequest, services?: AwsServices): Promise<HttpAnswer> => {
  const isQuery = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded');
  try {
    if (!services) throw new AwsError('ServiceUnavailable', 'Still starting.', 503);
    if (request.tooLarge) throw new AwsError('RequestEntityTooLarge', 'Too large.', 413);
    if (isQuery) return await answerQuery(request, services);
    const parsed = parseRequest(request);
    services.access()?.check(parsed);
    return await dispatch(parsed, services);
  } catch (error) {
    const known =
      error instanceof AwsError ? error : new AwsError('InternalFailure', String(error), 500);
    return isQuery ? xmlError(known) : jsonError(known);
  }
};

const dispatch = async (request: ParsedAwsRequest, services: AwsServices): Promise<HttpAnswer> => {
  const target = String(request.headers['x-amz-target'] ?? '');
  if (target.startsWith('AmazonSQS.')) return services.queues.handle(request);
  if (target.startsWith('DynamoDB_20120810.')) return services.tables.handle(request);
  if (target.startsWith(CLOUDWATCH_TARGET)) return answerMetricsRequest(request, services.queues);
  if (target.startsWith('TrentService.')) return services.keys.handle(request);
  if (target.startsWith(EVENTBRIDGE_TARGET)) return services.buses.handle(request);
  if (request.path.startsWith(SES_PATH)) return services.mails.handle(request);
  if (/^\/schedules(\/|$)/.test(request.path)) {
    return answerSchedulerRequest(request, services.schedules);
  }
  throw notEmulated(target || `${request.method} ${request.path}`);
};

const answerQuery = async (request: AwsRequest, services: AwsServices): Promise<HttpAnswer> => {
  const form = new URLSearchParams(request.body.toString());
  switch (form.get('Action')) {
    case 'DescribeStacks':
      return describeStacks(services.stacks(), form.get('StackName'));
    case 'GetCallerIdentity':
      return callerIdentity();
    default:
      throw notEmulated(form.get('Action') ?? 'a request without an Action');
  }
};

const callerIdentity = (): HttpAnswer =>
  xmlAnswer(
    '<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">' +
      `<GetCallerIdentityResult><Arn>${iamArn('root')}</Arn><UserId>${ACCOUNT_ID}</UserId>` +
      `<Account>${ACCOUNT_ID}</Account></GetCallerIdentityResult></GetCallerIdentityResponse>`,
  );

const notEmulated = (operation: string): AwsError =>
  new AwsError('UnknownOperationException', `The embedded run does not emulate ${operation}.`);

/** CloudFormation's DescribeStacks, of all stacks unless there is a name. Throws AwsError. */
const describeStacks = (stacks: readonly ResolvedStack[], stackName: string | null): HttpAnswer => {
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
