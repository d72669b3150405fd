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
  RecursiveLoop,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { StageSettings } from '../stage-settings.ts';
import { bundleOf, type FunctionName } from './function-bundles.ts';
import { addAlias } from './gradual-release.ts';

/**
 * The environment variables of a function, as the function's module declares them. A variable
 * that is undefined is not set.
 */
export type Variables = Readonly<Record<string, string | undefined>>;

export interface ServiceFunctionProps<Environment extends Variables> {
  readonly name: FunctionName;
  readonly description: string;
  /** `tsc` reports a missing variable, and a variable that the function does not declare. */
  readonly environment: Environment;
  readonly settings: StageSettings;
  readonly timeout: Duration;
  readonly memoryMb: number;
  /** Every action that the function's role is allowed, beside writing the function's log. */
  readonly permissions: readonly Permission[];
  /** Size of libuv's thread pool; Node's default is 4. */
  readonly threadPoolSize?: number;
  /**
   * For a function whose messages can come back to it, by whatever queues and functions: Lambda
   * otherwise ends such a loop at 16 rounds. Say at the function why the loop ends.
   */
  readonly isInLoop?: boolean;
  /** For a function that only shows documents: a new version takes all traffic at once. */
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
 * One function of lambdas/, with a role and a log group of its own.
 *
 * The names of function and log group are generated, from the names of the stack and the construct.
 * A retained log group with a fixed name would make the next deployment fail.
 */
export class ServiceFunction<Environment extends Variables = never> extends Construct {
  readonly lambda: LambdaFunction;
  readonly name: FunctionName;
  readonly memoryMb: number;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps<Environment>) {
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
      code: bundleOf(this, props.name, { isTraced: props.settings.tracing }),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      timeout: props.timeout,
      memorySize: props.memoryMb,
      role: this.#createRole(logGroup, props.permissions),
      logGroup,
      ...(props.settings.tracing && { tracing: Tracing.ACTIVE }),
      ...(props.isInLoop && { recursiveLoop: RecursiveLoop.ALLOW }),
      environment: {
        ...onlySet(props.environment),
        POWERTOOLS_SERVICE_NAME: props.name,
        ...(props.threadPoolSize ? { UV_THREADPOOL_SIZE: `${props.threadPoolSize}` } : {}),
        ...(props.corsOrigin ? { CORS_ORIGIN: props.corsOrigin } : {}),
      },
    });
    if (props.settings.tracing) this.#acknowledgeTracing();
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

  /** X-Ray's actions know no resources. The CDK grants them to a function with tracing. */
  #acknowledgeTracing(): void {
    Validations.of(this.lambda.role ?? this).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'Who sends segments to X-Ray cannot name a resource.',
    });
  }
}

const onlySet = (variables: Variables): Record<string, string> =>
  Object.fromEntries(
    Object.entries(variables).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

/**
 * The role of one function, with its permissions inside: CDK would make a policy beside each role,
 * and a stack has 500 resources at most.
 */
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
