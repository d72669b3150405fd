import { arn, iamArn } from '../arn.ts';

export interface ResourceType {
  /** The property that sets the physical name; without it CloudFormation makes one up. */
  nameProperty?: string;
  maximumNameLength?: number;
  arn?: (name: string) => string;
  /** What `Ref` gives; the name when absent. */
  reference?: (name: string, awsOrigin: string) => string;
  /** `Fn::GetAtt` besides `Arn`. */
  attributes?: (name: string, awsOrigin: string) => Record<string, string>;
}

export const queueUrl = (name: string, awsOrigin: string): string =>
  `${awsOrigin}/000000000000/${name}`;

const table: ResourceType = {
  nameProperty: 'TableName',
  maximumNameLength: 255,
  arn: (name) => arn('dynamodb', `table/${name}`),
};

/** What the embedded run runs. */
const EMULATED: Record<string, ResourceType> = {
  'AWS::DynamoDB::Table': table,
  'AWS::DynamoDB::GlobalTable': table,
  'AWS::SQS::Queue': {
    nameProperty: 'QueueName',
    maximumNameLength: 80,
    arn: (name) => arn('sqs', name),
    reference: queueUrl,
    attributes: (name, awsOrigin) => ({ QueueName: name, QueueUrl: queueUrl(name, awsOrigin) }),
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
  'AWS::ApiGateway::RestApi': {
    attributes: (name) => ({ RestApiId: name, RootResourceId: `${name}-root` }),
  },
  'AWS::ApiGateway::Resource': {},
  'AWS::ApiGateway::Method': {},
  'AWS::ApiGateway::Authorizer': { attributes: (name) => ({ AuthorizerId: name }) },
  'AWS::ApiGateway::GatewayResponse': {},
  'AWS::ApiGateway::Stage': { nameProperty: 'StageName' },
};

/** What guards, watches or bills a deployed stack and has nothing to do on one machine. */
const WITHOUT_LOCAL_COUNTERPART: Record<string, ResourceType> = {
  'AWS::ApiGateway::Account': {},
  'AWS::ApiGateway::Deployment': { attributes: (name) => ({ DeploymentId: name }) },
  'AWS::CDK::Metadata': {},
  'AWS::CloudWatch::Alarm': {
    nameProperty: 'AlarmName',
    arn: (name) => arn('cloudwatch', `alarm:${name}`),
  },
  'AWS::CloudWatch::Dashboard': { nameProperty: 'DashboardName' },
  'AWS::IAM::ManagedPolicy': { reference: (name) => iamArn(`policy/${name}`) },
  'AWS::IAM::Policy': {},
  'AWS::IAM::Role': { nameProperty: 'RoleName', arn: (name) => iamArn(`role/${name}`) },
  'AWS::KMS::Alias': { nameProperty: 'AliasName' },
  'AWS::KMS::Key': {
    arn: (name) => arn('kms', `key/${name}`),
    attributes: (name) => ({ KeyId: name }),
  },
  'AWS::Lambda::Permission': {},
  'AWS::Logs::LogGroup': {
    nameProperty: 'LogGroupName',
    arn: (name) => arn('logs', `log-group:${name}:*`),
  },
  'AWS::Logs::MetricFilter': {},
  'AWS::Logs::QueryDefinition': {},
  'AWS::SNS::Topic': {
    nameProperty: 'TopicName',
    reference: (name) => arn('sns', name),
    attributes: (name) => ({ TopicName: name, TopicArn: arn('sns', name) }),
  },
  'AWS::SNS::TopicPolicy': {},
  'AWS::SNS::Subscription': {},
  'AWS::SQS::QueuePolicy': {},
  'AWS::WAFv2::WebACL': { arn: (name) => arn('wafv2', `regional/webacl/${name}`) },
  'AWS::WAFv2::WebACLAssociation': {},
};

export const resourceType = (type: string): ResourceType | undefined =>
  EMULATED[type] ?? WITHOUT_LOCAL_COUNTERPART[type];
