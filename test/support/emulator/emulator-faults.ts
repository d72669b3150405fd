/** What of a CloudFormation template is needed here. */
export interface Template {
  readonly Resources: Readonly<Record<string, TemplateResource>>;
  readonly Outputs?: Readonly<Record<string, unknown>>;
}

interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly UpdatePolicy?: object;
  readonly DependsOn?: string | readonly string[];
}

/** Types that MiniStack 1.5.33 does not have. It refuses a template with one of them. */
const UNKNOWN_TYPES: ReadonlySet<string> = new Set([
  // Nothing limits the requests of a caller.
  'AWS::WAFv2::WebACLAssociation',
  // The pages of the sign-in have no style.
  'AWS::Cognito::ManagedLoginBranding',
  'AWS::Logs::MetricFilter',
  'AWS::Logs::QueryDefinition',
  // The backup plan selects no table.
  'AWS::Backup::BackupSelection',
  // It has budgets, but not by CloudFormation.
  'AWS::Budgets::Budget',
  // Each release is at once.
  'AWS::CodeDeploy::Application',
  'AWS::CodeDeploy::DeploymentGroup',
  // The functions of these need programs of Lambda's own images, and their stack would wait for an
  // hour: the console's files are not in their bucket.
  'Custom::CDKBucketDeployment',
  'Custom::S3AutoDeleteObjects',
]);

/**
 * It asks for actions that AWS does not have: in AWS the action of one message covers the calls of
 * many.
 */
const BATCHED_ACTIONS = [
  'sqs:SendMessage',
  'sqs:DeleteMessage',
  'sqs:ChangeMessageVisibility',
] as const;

/**
 * In AWS whoever executes statements needs one of the first, on the table of each statement. The
 * emulator asks for one of the second, which AWS does not have, and on everything.
 */
const EXECUTING_STATEMENTS = /^dynamodb:PartiQL/;
const STATEMENTS = ['dynamodb:BatchExecuteStatement', 'dynamodb:ExecuteStatement'];

/** In IAM it names every schedule `schedule/default/<name>`, whatever the schedule's group is. */
const SCHEDULE_GROUP = /:schedule\/[^/]+\//;
const DEFAULT_GROUP = ':schedule/default/';

/** It knows no conditions on what a call says of the use of a key, so that nobody could use it. */
const KEY_USE = /^kms:EncryptionContext:/;

/** It does not have this attribute of a user pool. */
const PROVIDER_URL = 'ProviderURL';

/** The host of an API is not found by DNS: the emulator has the API at a path, too. */
const API_URL =
  /"https:\/\/",(\{"Ref":"\w+"\}),"\.execute-api\.",\{"Ref":"AWS::Region"\},"\.",\{"Ref":"AWS::URLSuffix"\},"\/"/g;

type Json = unknown;

/**
 * The template as the emulator takes it. AWS gets the template as it was.
 *
 * @param aws origin of the emulator
 */
export const withoutEmulatorFaults = (template: Template, aws: string): Template => {
  const known = Object.entries(template.Resources).filter(
    ([, { Type }]) => !UNKNOWN_TYPES.has(Type),
  );
  const names = new Set(known.map(([name]) => name));
  const Resources = Object.fromEntries(
    // An update policy names the deployment group of CodeDeploy.
    known.map(([name, { DependsOn, UpdatePolicy, ...resource }]) => {
      const kept = [DependsOn ?? []].flat().filter((other) => names.has(other));
      return [name, { ...withPlainMetric(resource), ...(kept.length > 0 && { DependsOn: kept }) }];
    }),
  );
  const whole = mended({ ...template, Resources }) as Template;
  const atPath = JSON.stringify(whole.Resources).replaceAll(
    API_URL,
    `"${aws}/_aws/execute-api/",$1,"/"`,
  );
  return { ...whole, Resources: JSON.parse(atPath) };
};

/** It has no alarms of an expression: such an alarm watches the metric of its expression. */
const withPlainMetric = (resource: TemplateResource): TemplateResource => {
  const { Metrics, ...properties } = resource.Properties ?? {};
  if (resource.Type !== 'AWS::CloudWatch::Alarm' || !Array.isArray(Metrics)) return resource;
  const { Metric, Period, Stat } = Metrics.find(({ MetricStat }) => MetricStat).MetricStat;
  return { ...resource, Properties: { ...properties, ...Metric, Period, Statistic: Stat } };
};

const mended = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(mended);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value);
  const attribute = 'Fn::GetAtt' in value ? value['Fn::GetAtt'] : undefined;
  if (Array.isArray(attribute) && attribute[1] === PROVIDER_URL) return issuerOf(attribute[0]);
  const inner = Object.fromEntries(members.map(([name, member]) => [name, mended(member)]));
  if (Array.isArray(inner.Statement)) return withStatementBatches(inner, inner.Statement);
  return isStatement(inner) ? mendedStatement(inner) : inner;
};

const withStatementBatches = (document: object, statements: readonly Statement[]): Json => {
  const actions = statements.flatMap(({ Action }) => Action);
  if (!actions.some((action) => EXECUTING_STATEMENTS.test(action))) return document;
  const batches = { Effect: 'Allow', Action: STATEMENTS, Resource: '*' };
  return { ...document, Statement: [...statements, batches] };
};

const issuerOf = (userPool: string): Json => ({
  'Fn::Join': [
    '',
    ['https://cognito-idp.', { Ref: 'AWS::Region' }, '.amazonaws.com/', { Ref: userPool }],
  ],
});

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource?: Json;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, Json>>>>;
}

const isStatement = (value: object): value is Statement => 'Effect' in value && 'Action' in value;

const mendedStatement = ({ Action, Resource, Condition = {}, ...statement }: Statement): Json => {
  const actions = [Action].flat();
  const batched = BATCHED_ACTIONS.filter((action) => actions.includes(action));
  return {
    ...statement,
    Action: [...actions, ...batched.map((action) => `${action}Batch`)],
    ...(Resource !== undefined && { Resource: withDefaultGroup(Resource) }),
    ...knownConditions(Condition),
  };
};

const knownConditions = (
  condition: NonNullable<Statement['Condition']>,
): Pick<Statement, 'Condition'> => {
  const known = Object.entries(condition).flatMap(([operator, keys]) => {
    const kept = Object.entries(keys).filter(([key]) => !KEY_USE.test(key));
    return kept.length === 0 ? [] : [[operator, Object.fromEntries(kept)] as const];
  });
  return known.length === 0 ? {} : { Condition: Object.fromEntries(known) };
};

const withDefaultGroup = (resource: Json): Json => {
  const text = JSON.stringify(resource);
  return SCHEDULE_GROUP.test(text)
    ? [resource, JSON.parse(text.replace(SCHEDULE_GROUP, DEFAULT_GROUP))].flat()
    : resource;
};

/** A deployment of something else than the sources say. */
export interface TemplateChange {
  /** What the functions say their version is. */
  readonly version?: string | undefined;
  /** Whether the deployment fails once all functions are of the new version. */
  readonly fails: boolean;
}

export const changed = (template: Template, { version, fails }: TemplateChange): Template => {
  const functions = Object.entries(template.Resources)
    .filter(([, { Type }]) => Type === 'AWS::Lambda::Function')
    .map(([name]) => name);
  const Resources = fails && functions.length > 0 ? neverReady(functions) : {};
  const whole = { ...template, Resources: { ...template.Resources, ...Resources } };
  return version === undefined
    ? whole
    : JSON.parse(
        JSON.stringify(whole).replaceAll(
          /"SERVICE_VERSION":"[^"]*"/g,
          `"SERVICE_VERSION":"${version}"`,
        ),
      );
};

/** Waits for a signal that nobody sends. */
const neverReady = (functions: readonly string[]) => ({
  NeverReadyHandle: { Type: 'AWS::CloudFormation::WaitConditionHandle' },
  NeverReady: {
    Type: 'AWS::CloudFormation::WaitCondition',
    DependsOn: functions,
    Properties: { Handle: { Ref: 'NeverReadyHandle' }, Timeout: '1', Count: 1 },
  },
});
