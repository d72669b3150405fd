import { type Duration, Validations } from 'aws-cdk-lib';
import { type Conditions, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Function as LambdaFunction,
  RecursiveLoop,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Environment as AuthorizeRequest } from '../../lambdas/authorize-request/env.ts';
import type { Environment as CreateIntegration } from '../../lambdas/create-integration/env.ts';
import type { Environment as DeleteIntegration } from '../../lambdas/delete-integration/env.ts';
import type { Environment as DeliverWebhook } from '../../lambdas/deliver-webhook/env.ts';
import type { Environment as GetContext } from '../../lambdas/get-context/env.ts';
import type { Environment as GetDelivery } from '../../lambdas/get-delivery/env.ts';
import type { Environment as GetDocs } from '../../lambdas/get-docs/env.ts';
import type { Environment as GetIntegration } from '../../lambdas/get-integration/env.ts';
import type { Environment as GetOpenapi } from '../../lambdas/get-openapi/env.ts';
import type { Environment as GetSignature } from '../../lambdas/get-signature/env.ts';
import type { Environment as ListDeliveries } from '../../lambdas/list-deliveries/env.ts';
import type { Environment as ListEventTypes } from '../../lambdas/list-event-types/env.ts';
import type { Environment as ListIntegrations } from '../../lambdas/list-integrations/env.ts';
import type { Environment as ListPendingEvents } from '../../lambdas/list-pending-events/env.ts';
import type { Environment as PatchIntegration } from '../../lambdas/patch-integration/env.ts';
import type { Environment as ReplaceIntegration } from '../../lambdas/replace-integration/env.ts';
import type { Environment as ReplayPending } from '../../lambdas/replay-pending/env.ts';
import type { Environment as RequestRecovery } from '../../lambdas/request-recovery/env.ts';
import type { Environment as ResendDelivery } from '../../lambdas/resend-delivery/env.ts';
import type { Environment as RetryIntegration } from '../../lambdas/retry-integration/env.ts';
import type { Environment as RetryNow } from '../../lambdas/retry-now/env.ts';
import type { Environment as RotateSecret } from '../../lambdas/rotate-secret/env.ts';
import type { Environment as RouteEvent } from '../../lambdas/route-event/env.ts';
import type { Environment as TestIntegration } from '../../lambdas/test-integration/env.ts';
import type { StageSettings } from '../config.ts';
import { bundleOf } from './function-bundles.ts';

/** Each function by its folder in lambdas/, with the variables its env.ts declares. */
interface Environments {
  'authorize-request': AuthorizeRequest;
  'create-integration': CreateIntegration;
  'delete-integration': DeleteIntegration;
  'deliver-webhook': DeliverWebhook;
  'get-context': GetContext;
  'get-delivery': GetDelivery;
  'get-docs': GetDocs;
  'get-integration': GetIntegration;
  'get-openapi': GetOpenapi;
  'get-signature': GetSignature;
  'list-deliveries': ListDeliveries;
  'list-event-types': ListEventTypes;
  'list-integrations': ListIntegrations;
  'list-pending-events': ListPendingEvents;
  'patch-integration': PatchIntegration;
  'request-recovery': RequestRecovery;
  'replace-integration': ReplaceIntegration;
  'replay-pending': ReplayPending;
  'resend-delivery': ResendDelivery;
  'retry-integration': RetryIntegration;
  'retry-now': RetryNow;
  'rotate-secret': RotateSecret;
  'route-event': RouteEvent;
  'test-integration': TestIntegration;
}

export type FunctionName = keyof Environments;

export interface ServiceFunctionProps<Name extends FunctionName> {
  readonly name: Name;
  readonly description: string;
  /** A variable missing here, or one the function does not declare, fails `tsc`. */
  readonly environment: Environments[Name];
  readonly settings: StageSettings;
  readonly timeout: Duration;
  readonly memoryMb: number;
  /** Every action its role gets beyond writing its own log. */
  readonly permissions: readonly Permission[];
  /** Size of libuv's thread pool; Node's default is 4. */
  readonly threadPoolSize?: number;
  /** Only where something must know it before the function is there. */
  readonly functionName?: string;
  /** It sends to its own queue: Lambda would take that for a loop, and end it after 16 rounds. */
  readonly sendsToItself?: boolean;
  /** The one origin whose pages may call the API from a browser; none without it. */
  readonly corsOrigin?: string;
}

export interface Permission {
  readonly actions: readonly string[];
  readonly resource: string;
  readonly conditions?: Conditions;
  /** Why the resource is a wildcard; cdk-nag asks. */
  readonly acknowledgement?: { readonly id: string; readonly reason: string };
}

/**
 * One function of lambdas/, with a role and a log group of its own.
 *
 * Function and log group have no fixed names of themselves: the stack's name and the construct's
 * are in the generated ones, and a retained log group with a fixed name would make the next
 * deployment fail.
 */
export class ServiceFunction<Name extends FunctionName> extends Construct {
  readonly lambda: LambdaFunction;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps<Name>) {
    super(scope, id);
    const logGroup = new LogGroup(this, 'Log', {
      retention: props.settings.logRetentionDays,
      removalPolicy: props.settings.removalPolicy,
    });
    this.lambda = new LambdaFunction(this, 'Function', {
      functionName: props.functionName,
      description: props.description,
      // With the SDK: the versions tested are the versions run, not those the runtime happens to have.
      code: bundleOf(this, props.name),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      timeout: props.timeout,
      memorySize: props.memoryMb,
      role: this.#createRole(logGroup, props.permissions),
      logGroup,
      ...(props.sendsToItself && { recursiveLoop: RecursiveLoop.ALLOW }),
      environment: {
        ...props.environment,
        POWERTOOLS_SERVICE_NAME: props.name,
        ...(props.threadPoolSize ? { UV_THREADPOOL_SIZE: `${props.threadPoolSize}` } : {}),
        ...(props.corsOrigin ? { CORS_ORIGIN: props.corsOrigin } : {}),
      },
    });
  }

  #createRole(logGroup: LogGroup, permissions: readonly Permission[]): Role {
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    });
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
