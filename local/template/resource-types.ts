import { ACCOUNT_ID, arn, iamArn } from '../arn.ts';

export interface ResourceType {
  /** The property that sets the physical name; without it CloudFormation makes one up. */
  nameProperty?: string;
  maximumNameLength?: number;
  /** The name when absent. */
  arn?: (name: string) => string;
  /** What `Ref` gives; the name when absent. */
  reference?: (name: string, awsOrigin: string) => string;
  /** `Fn::GetAtt` besides `Arn`. */
  attributes?: (name: string) => Record<string, string>;
}

export const queueUrl = (name: string, awsOrigin: string): string =>
  `${awsOrigin}/${ACCOUNT_ID}/${name}`;

/** What the template of the local stage has. */
export const RESOURCE_TYPES: Readonly<Record<string, ResourceType>> = {
  // What the embedded run runs.
  'AWS::DynamoDB::Table': {
    nameProperty: 'TableName',
    arn: (name) => arn('dynamodb', `table/${name}`),
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
  'AWS::Lambda::EventInvokeConfig': {},
  'AWS::Scheduler::ScheduleGroup': {
    nameProperty: 'Name',
    maximumNameLength: 64,
    arn: (name) => arn('scheduler', `schedule-group/${name}`),
  },
  'AWS::ApiGateway::RestApi': { attributes: (name) => ({ RootResourceId: `${name}-root` }) },
  'AWS::ApiGateway::Resource': {},
  'AWS::ApiGateway::Method': {},
  'AWS::ApiGateway::Authorizer': {},
  'AWS::ApiGateway::GatewayResponse': {},
  'AWS::ApiGateway::Stage': { nameProperty: 'StageName' },
  // What guards or watches a deployed stack and has nothing to do on one machine.
  'AWS::ApiGateway::Account': {},
  'AWS::ApiGateway::Deployment': {},
  'AWS::CloudWatch::Alarm': {},
  'AWS::IAM::Policy': {},
  'AWS::IAM::Role': { arn: (name) => iamArn(`role/${name}`) },
  'AWS::KMS::Key': { arn: (name) => arn('kms', `key/${name}`) },
  'AWS::Lambda::Permission': {},
  'AWS::Logs::LogGroup': { arn: (name) => arn('logs', `log-group:${name}:*`) },
  'AWS::SQS::QueuePolicy': {},
  'AWS::WAFv2::WebACL': { arn: (name) => arn('wafv2', `regional/webacl/${name}`) },
  'AWS::WAFv2::WebACLAssociation': {},
};
