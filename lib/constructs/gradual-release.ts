import { CfnElement, Lazy, Validations } from 'aws-cdk-lib';
import { type Alarm, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import {
  LambdaApplication,
  LambdaDeploymentConfig,
  LambdaDeploymentGroup,
} from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  type IFunction,
  type IVersion,
  type Function as LambdaFunction,
} from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { createAlarm, every, type Line, nameOf, writtenMetric } from '../monitoring/line.ts';
import type { StageSettings } from '../stage-settings.ts';

const ALIAS = 'Live';

/** Queues and routes call a function by its alias, which can split the calls between two versions. */
export const addAlias = (lambda: LambdaFunction): Alias =>
  new Alias(lambda, ALIAS, { aliasName: 'live', version: lambda.currentVersion });

const aliasOf = (lambda: LambdaFunction): Alias | undefined =>
  lambda.node.tryFindChild(ALIAS) as Alias | undefined;

/** The function that queues and routes call: the alias, if the stage has aliases. */
export const targetOf = (lambda: LambdaFunction): IFunction => aliasOf(lambda) ?? lambda;

interface GradualReleaseProps {
  readonly settings: StageSettings;
  /** The functions of queues and streams. */
  readonly consumers: readonly LambdaFunction[];
  readonly authorizer: LambdaFunction;
}

/**
 * Of the calls of a minute, in two minutes of five: no single crash or timeout stops a release, and two
 * of a quiet function do.
 */
const FAILED_SHARE = 0.1;

/** For each call, likewise. Throttled writes fail fewer records. */
const FAILED_RECORDS = 0.5;

/**
 * CodeDeploy shifts the traffic of the consumers and of the authorizer to a new version: a tenth of
 * it, and after ten minutes all of it. If an alarm is raised in these minutes, the former version
 * gets all traffic again, and CloudFormation rolls the whole deployment back.
 *
 * The deployments of one update start together. Lambda's control plane takes 15 calls a second for
 * all of them, so there are few: the functions of the API change at once.
 */
export class GradualRelease extends Construct {
  /** The faults of each new version. */
  readonly lines: readonly Line[];
  readonly #application: LambdaApplication;
  readonly #role: Role;
  readonly #groups: LambdaDeploymentGroup[] = [];

  constructor(scope: Construct, id: string, props: GradualReleaseProps) {
    super(scope, id);
    this.#application = new LambdaApplication(this, 'Application');
    this.#role = this.#createRole();
    const { authorizer, consumers, settings } = props;
    this.lines = [
      ...consumers.map((lambda) => this.#shiftTrafficOf(lambda, settings, failuresOf)),
      this.#shiftTrafficOf(authorizer, settings, errorsOf),
    ];
  }

  /** An alarm that a fault of a new version raises, but none of its own. */
  stopOn(alarm: Alarm): void {
    for (const group of this.#groups) group.addAlarm(alarm);
  }

  #createRole(): Role {
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName(POLICY)],
    });
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${POLICY}]`,
      reason:
        'AWS made the policy for this one use: CodeDeploy may read alarms and change aliases.',
    });
    return role;
  }

  #watchVersion(alias: Alias, settings: StageSettings, faultsOf: FaultsOf): Required<Line> {
    const { lambda, version } = alias;
    const metric = faultsOf(alias, settings);
    const alarm = {
      name: 'NewVersionErrors',
      section: 'gradual-release',
      threshold: FAILED_SHARE,
      periods: 2,
      ofPeriods: 5,
      meaning: `The new version of ${lambda.node.path} crashes, times out or fails its messages. Its release is rolled back.`,
    };
    // A name would be that of two alarms during a release.
    const made = createAlarm(lambda, alarm, {
      metric,
      runbookUrl: settings.runbookUrl,
      hasName: false,
    });
    nameAfter(version, made);
    return { label: nameOf(lambda), metric, alarm, made };
  }

  #shiftTrafficOf(lambda: LambdaFunction, settings: StageSettings, faultsOf: FaultsOf): Line {
    const alias = aliasOf(lambda);
    if (alias === undefined) throw new Error(`${lambda.node.path} has no alias.`);
    const line = this.#watchVersion(alias, settings, faultsOf);
    const group = new LambdaDeploymentGroup(lambda, 'Release', {
      application: this.#application,
      // All groups share one role, which already has its policy.
      role: this.#role.withoutPolicyUpdates(),
      alias,
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_10MINUTES,
      alarms: [line.made],
      autoRollback: { stoppedDeployment: true },
    });
    this.#groups.push(group);
    // The alarms watch the new version before it gets traffic.
    alias.node.addDependency(group);
    return line;
  }
}

/** A part of the calls of a new version. Errors of the former do not stop a repaired one. */
type FaultsOf = (alias: Alias, settings: StageSettings) => MathExpression;

/** As a part of the ids of metrics: a graph has the lines of all functions. */
const idOf = (lambda: IFunction): string => nameOf(lambda).replaceAll('-', '_');

const errorsOfVersion = ({ lambda, aliasName, version }: Alias): Metric =>
  new Metric({
    ...every(1),
    namespace: 'AWS/Lambda',
    metricName: 'Errors',
    // Lambda writes 0 or 1 for each call, so that the average is the share of calls that failed.
    statistic: 'Average',
    dimensionsMap: {
      FunctionName: lambda.functionName,
      Resource: `${lambda.functionName}:${aliasName}`,
      ExecutedVersion: version.version,
    },
  });

/** With FILL, a minute without a call is one of the five. */
const errorsOf: FaultsOf = (alias) => {
  const [of, errors] = [idOf(alias.lambda), errorsOfVersion(alias)];
  return new MathExpression({
    expression: `FILL(errors_${of}, 0)`,
    usingMetrics: { [`errors_${of}`]: errors },
    period: errors.period,
  });
};

/** Functions of queues and streams report records that fail, and do not fail with them. */
const failuresOf: FaultsOf = (alias, settings) => {
  const [of, errors] = [idOf(alias.lambda), errorsOfVersion(alias)];
  const records = writtenMetric(settings, 'RecordsFailed', {
    dimensionsMap: {
      service: 'integrations',
      stage: settings.stage,
      function: alias.lambda.functionName,
      version: alias.version.version,
    },
  });
  return new MathExpression({
    expression: `MAX([FILL(errors_${of}, 0), FILL(records_${of} / calls_${of}, 0) * ${FAILED_SHARE / FAILED_RECORDS}])`,
    usingMetrics: {
      [`errors_${of}`]: errors,
      [`calls_${of}`]: errors.with({ statistic: 'SampleCount' }),
      [`records_${of}`]: records,
    },
    period: errors.period,
  });
};

/**
 * Gives each version an alarm of its own. An alarm that is updated keeps its state: raised by one
 * version, it would stop the release of the next.
 */
const nameAfter = ({ node }: IVersion, alarm: Alarm): void => {
  const [version, watching] = [node.defaultChild, alarm.node.defaultChild];
  if (!CfnElement.isCfnElement(version) || !CfnElement.isCfnElement(watching))
    throw new Error(`${alarm.node.path} watches no version.`);
  watching.overrideLogicalId(
    Lazy.uncachedString({ produce: ({ resolve }) => `${resolve(version.logicalId)}Errors` }),
  );
};

const POLICY = 'service-role/AWSCodeDeployRoleForLambdaLimited';
