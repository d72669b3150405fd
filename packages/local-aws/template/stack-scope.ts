import { createHash } from 'node:crypto';
import { ACCOUNT_ID, arn, iamArn } from '../arn.ts';
import { notEmulated, type StackTemplate } from './assembly.ts';
import type { Scope } from './intrinsics.ts';

interface ResourceType {
  /** The property with the physical name; without the property, the name is generated. */
  nameProperty?: string;
  maximumNameLength?: number;
  /** The resource's ARN; by default, the name. */
  arn?: (name: string) => string;
  /** The value of `Ref`; by default, the name. */
  reference?: (name: string, awsOrigin: string) => string;
  /** The values of `Fn::GetAtt` other than `Arn`. */
  attributes?: (name: string) => Record<string, string>;
}

export const queueUrl = (name: string, awsOrigin: string): string =>
  `${awsOrigin}/${ACCOUNT_ID}/${name}`;

const tableArn = (name: string): string => arn('dynamodb', `table/${name}`);

/** A stream is named after when it was made. */
const STREAM = '/stream/2026-01-01T00:00:00.000';

export const tableOfStream = (streamArn: string): string =>
  streamArn.slice(tableArn('').length, -STREAM.length);

/** The resource types in the template of stage `local`. */
const RESOURCE_TYPES: Readonly<Record<string, ResourceType>> = {
  // Emulated.
  'AWS::DynamoDB::Table': {
    nameProperty: 'TableName',
    arn: tableArn,
    attributes: (name) => ({ StreamArn: tableArn(name) + STREAM }),
  },
  'AWS::SQS::Queue': {
    nameProperty: 'QueueName',
    maximumNameLength: 80,
    arn: (name) => arn('sqs', name),
    reference: queueUrl,
    attributes: (name) => ({ QueueName: name }),
  },
  'AWS::Lambda::Function': {
    nameProperty: 'FunctionName',
    maximumNameLength: 64,
    arn: (name) => arn('lambda', `function:${name}`),
  },
  'AWS::Lambda::EventSourceMapping': {},
  'AWS::Scheduler::Schedule': { nameProperty: 'Name', maximumNameLength: 64 },
  'AWS::Scheduler::ScheduleGroup': {
    nameProperty: 'Name',
    maximumNameLength: 64,
    arn: (name) => arn('scheduler', `schedule-group/${name}`),
  },
  'AWS::Events::EventBus': {
    nameProperty: 'Name',
    arn: (name) => arn('events', `event-bus/${name}`),
  },
  'AWS::KMS::Key': { arn: (name) => arn('kms', `key/${name}`) },
  'AWS::ApiGateway::RestApi': { attributes: (name) => ({ RootResourceId: `${name}-root` }) },
  'AWS::ApiGateway::Resource': {},
  'AWS::ApiGateway::Method': {},
  'AWS::ApiGateway::Authorizer': {},
  'AWS::ApiGateway::GatewayResponse': {},
  'AWS::ApiGateway::Stage': { nameProperty: 'StageName' },
  // Ignored: they guard or watch a deployed stack and are not needed on one machine.
  'AWS::ApiGateway::Account': {},
  'AWS::ApiGateway::Deployment': {},
  'AWS::CloudWatch::Alarm': {
    nameProperty: 'AlarmName',
    arn: (name) => arn('cloudwatch', `alarm:${name}`),
  },
  'AWS::CloudWatch::Dashboard': {},
  'AWS::IAM::Policy': {},
  'AWS::IAM::Role': { arn: (name) => iamArn(`role/${name}`) },
  'AWS::Lambda::Permission': {},
  'AWS::Logs::LogGroup': { arn: (name) => arn('logs', `log-group:${name}:*`) },
  'AWS::Logs::MetricFilter': {},
  'AWS::Logs::QueryDefinition': {},
  'AWS::SES::ConfigurationSet': {},
  'AWS::SNS::Topic': { arn: (name) => arn('sns', name) },
  'AWS::SNS::TopicPolicy': {},
  'AWS::SQS::QueuePolicy': {},
  'AWS::WAFv2::WebACL': { arn: (name) => arn('wafv2', `regional/webacl/${name}`) },
  'AWS::WAFv2::WebACLAssociation': {},
};

export interface StackScope extends Scope {
  physicalName(logicalId: string): string;
}

export interface StackScopeOptions {
  awsOrigin: string;
  exported: ReadonlyMap<string, string>;
}

export const createStackScope = (
  { stackName, template }: StackTemplate,
  { awsOrigin, exported }: StackScopeOptions,
): StackScope => {
  const read = (logicalId: string) => {
    const path = `${stackName}/${logicalId}`;
    const resource = template.Resources[logicalId];
    if (!resource) throw notEmulated(path, 'a name that is no resource of the stack');
    const type = RESOURCE_TYPES[resource.Type];
    if (!type) throw notEmulated(path, resource.Type);
    const { maximumNameLength = 255, nameProperty = '' } = type;
    const { FifoQueue, [nameProperty]: chosen } = resource.Properties ?? {};
    if (typeof chosen === 'string') return { path, type, name: chosen };
    if (chosen !== undefined) throw notEmulated(`${path}.${nameProperty}`, 'a computed name');
    const suffix = FifoQueue === true ? '.fifo' : '';
    const name = shortened(`${stackName}-${logicalId}`, maximumNameLength - suffix.length);
    return { path, type, name: name + suffix };
  };
  return {
    physicalName: (logicalId) => read(logicalId).name,
    reference: (logicalId) => {
      const { type, name } = read(logicalId);
      return type.reference?.(name, awsOrigin) ?? name;
    },
    attribute: (logicalId, attribute) => {
      const { path, type, name } = read(logicalId);
      if (attribute === 'Arn') return type.arn?.(name) ?? name;
      const value = type.attributes?.(name)[attribute];
      if (value === undefined) throw notEmulated(path, `the attribute ${attribute}`);
      return value;
    },
    importedValue: (exportName) => {
      const value = exported.get(exportName);
      if (value === undefined)
        throw new Error(`No stack before ${stackName} exports ${exportName}`);
      return value;
    },
  };
};

/** A hash makes the name the same at every start, so that URLs and log files keep their names. */
const shortened = (wanted: string, maximumLength: number): string => {
  if (wanted.length <= maximumLength) return wanted;
  const hash = createHash('sha256').update(wanted).digest('hex').slice(0, 12);
  return `${wanted.slice(0, maximumLength - hash.length - 1)}-${hash}`;
};
