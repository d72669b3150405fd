import { type Duration, Validations } from 'aws-cdk-lib';
import {
  type AddToPrincipalPolicyResult,
  type Conditions,
  PolicyDocument,
  PolicyStatement,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Function as LambdaFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type * as z from 'zod';
import { reservedConcurrencyOf, type StageSettings } from '../stage-settings.ts';
import { bundleOf, type FunctionName } from './function-bundles.ts';
import { addAlias } from './gradual-release.ts';

/** The module of a function, which declares the function's environment variables. */
interface Module {
  readonly environmentSchema: z.ZodType<unknown, Variables>;
}

/** A variable that is undefined is not set. */
type Variables = Readonly<Record<string, string | undefined>>;

interface ServiceFunctionProps<Declaring extends Module> {
  readonly name: FunctionName;
  readonly description: string;
  /** `tsc` reports a missing variable, and a variable that the function does not declare. */
  readonly environment: z.input<Declaring['environmentSchema']>;
  readonly settings: StageSettings;
  readonly timeout: Duration;
  readonly memoryMb: number;
  /** Every action that the function's role allows, except writing the function's log. */
  readonly permissions: readonly Permission[];
  /** Whether its messages can reach the function again: Lambda otherwise ends a loop after 16 rounds. */
  readonly isInLoop?: boolean;
  /** Whether a new version takes all traffic at once, in every stage. */
  readonly isReleasedAtOnce?: boolean;
  /** The one origin whose pages may call the API from a browser; without an origin no page may. */
  readonly corsOrigin?: string;
}

export interface Permission {
  readonly actions: readonly string[];
  readonly resource: string;
  readonly conditions?: Conditions;
  /** The id of a cdk-nag finding, and why the resource is a wildcard. */
  readonly acknowledgement?: { readonly id: string; readonly reason: string };
}

/**
 * One function of lambdas/, with its role and its log group. CloudFormation generates their names: a
 * retained log group with a fixed name would make the next deployment fail.
 */
export class ServiceFunction<Declaring extends Module = Module> extends Construct {
  readonly lambda: LambdaFunction;
  readonly name: FunctionName;
  readonly memoryMb: number;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps<Declaring>) {
    super(scope, id);
    this.name = props.name;
    this.memoryMb = props.memoryMb;
    const logGroup = new LogGroup(this, 'Log', {
      retention: props.settings.logRetentionDays,
      removalPolicy: props.settings.removalPolicy,
    });
    this.lambda = new LambdaFunction(this, 'Function', {
      description: props.description,
      // The bundle has the AWS SDK in the tested version; the runtime's SDK may be another version.
      code: bundleOf(this, props.name),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      timeout: props.timeout,
      memorySize: props.memoryMb,
      reservedConcurrentExecutions: reservedConcurrencyOf(props.name, props.settings),
      role: this.#createRole(logGroup, props.permissions),
      logGroup,
      // Without Lambda's own lines about invocations that succeed.
      loggingFormat: LoggingFormat.JSON,
      systemLogLevelV2: SystemLogLevel.WARN,
      ...(props.settings.tracing && { tracing: Tracing.ACTIVE }),
      ...(props.isInLoop && { recursiveLoop: RecursiveLoop.ALLOW }),
      environment: {
        ...onlySet(props.environment),
        POWERTOOLS_SERVICE_NAME: props.name,
        ...(props.settings.awsCallTimeoutMs && {
          AWS_CALL_TIMEOUT_MS: `${props.settings.awsCallTimeoutMs}`,
        }),
        ...(props.corsOrigin ? { CORS_ORIGIN: props.corsOrigin } : {}),
      },
    });
    if (props.settings.tracing) {
      // The CDK grants a function with tracing the actions of X-Ray.
      Validations.of(this.lambda.role ?? this).acknowledge({
        id: 'AwsSolutions-IAM5[Resource::*]',
        reason: 'Who sends segments to X-Ray cannot name a resource.',
      });
    }
    if (props.settings.release !== 'unversioned' && !props.isReleasedAtOnce) addAlias(this.lambda);
  }

  #createRole(logGroup: LogGroup, permissions: readonly Permission[]): Role {
    const role = new FunctionRole(this, 'Role');
    logGroup.grantWrite(role);
    for (const { actions, resource, conditions, acknowledgement } of permissions) {
      role.addToPolicy(
        new PolicyStatement({ actions: [...actions], resources: [resource], conditions }),
      );
      if (acknowledgement) Validations.of(role).acknowledge(acknowledgement);
    }
    return role;
  }
}

const onlySet = (variables: Variables): Record<string, string> =>
  Object.fromEntries(
    Object.entries(variables).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

/** A role with an inline policy. CDK would add one more resource, a policy, for each role. */
class FunctionRole extends Role {
  readonly #permissions: PolicyDocument;

  constructor(scope: Construct, id: string) {
    const permissions = new PolicyDocument();
    super(scope, id, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { Permissions: permissions },
    });
    this.#permissions = permissions;
  }

  override addToPrincipalPolicy(statement: PolicyStatement): AddToPrincipalPolicyResult {
    this.#permissions.addStatements(statement);
    return { statementAdded: true, policyDependable: this };
  }
}
