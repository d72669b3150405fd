import {
  type App,
  CfnOutput,
  DefaultStackSynthesizer,
  Fn,
  RemovalPolicy,
  Stack,
  Validations,
} from 'aws-cdk-lib';
import {
  type IOidcProvider,
  OidcProviderNative,
  PolicyDocument,
  PolicyStatement,
  Role,
  WebIdentityPrincipal,
} from 'aws-cdk-lib/aws-iam';
import { AwsSolutionsChecks } from 'cdk-nag';

const ISSUER = 'token.actions.githubusercontent.com';
const AUDIENCE = 'sts.amazonaws.com';

/** The stages that the pipeline deploys. */
const STAGES = ['dev', 'prod'] as const;

const PROVIDERS = ['new', 'existing'] as const;

/**
 * As it begins the subject of GitHub's tokens. That of a repository made, renamed or moved after July
 * 2026 has the ids of owner and repository.
 */
const REPOSITORY = /^(?:[\w-]+\/[\w.-]+|[\w-]+@\d+\/[\w.-]+@\d+)$/;

interface PipelineOptions {
  readonly stage: (typeof STAGES)[number];
  readonly repository: string;
  /** An account can have one provider for an issuer: `existing` uses that of another stack. */
  readonly provider: (typeof PROVIDERS)[number];
  /** Of the `cdk bootstrap` whose roles deploy the stage. */
  readonly qualifier: string;
}

/** Adds the stack that the options of the app describe. Throws if an option is wrong. */
export const addPipelineRoles = (app: App): Stack => {
  const stack = new PipelineRoleStack(app, optionsOf(app));
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return stack;
};

const optionsOf = ({ node }: App): PipelineOptions => {
  const stage = STAGES.find((name) => name === node.tryGetContext('stage'));
  if (!stage) throw new Error(`stage must be ${STAGES.join(' or ')}.`);
  const repository = String(node.tryGetContext('repository'));
  if (!REPOSITORY.test(repository)) {
    throw new Error('repository must be <owner>/<name>, or <owner>@<id>/<name>@<id>.');
  }
  const given = node.tryGetContext('githubProvider') ?? 'new';
  const provider = PROVIDERS.find((name) => name === given);
  if (!provider) throw new Error(`githubProvider must be ${PROVIDERS.join(' or ')}.`);
  const qualifier = node.tryGetContext('qualifier') ?? DefaultStackSynthesizer.DEFAULT_QUALIFIER;
  if (!/^[a-z0-9]{1,10}$/.test(qualifier))
    throw new Error('qualifier must be 1 to 10 of a-z and 0-9.');
  return { stage, repository, provider, qualifier };
};

interface Permission {
  readonly actions: string[];
  /** As cdk-nag writes them: `<AWS::Region>` stands for the region. */
  readonly resources: readonly string[];
  /** Why a resource has an asterisk. */
  readonly reason?: string;
}

/** The roles that the workflows of a GitHub repository assume, without a key. */
class PipelineRoleStack extends Stack {
  readonly #options: PipelineOptions;
  readonly #provider: IOidcProvider;

  constructor(scope: App, options: PipelineOptions) {
    const { stage, qualifier } = options;
    super(scope, `integrations-${stage}-pipeline`, {
      tags: { service: 'integrations', stage },
      synthesizer: new DefaultStackSynthesizer({ qualifier }),
    });
    this.#options = options;
    this.#provider = this.#createProvider();
    this.#createRole('DeployRole', `environment:${stage}`, [
      this.#toUseBootstrapRoles(),
      ...this.#toVerify(),
    ]);
    // Pull requests show what changes in the first stage, and pushes what would change in the second.
    this.#createRole('DiffRole', stage === 'dev' ? 'pull_request' : 'ref:refs/heads/main', [
      this.#onStacks('cloudformation:DescribeStacks', 'cloudformation:GetTemplate'),
    ]);
  }

  #createProvider(): IOidcProvider {
    if (this.#options.provider === 'new') {
      return new OidcProviderNative(this, 'GitHub', {
        url: `https://${ISSUER}`,
        clientIds: [AUDIENCE],
        // Other stacks of the account may use it.
        removalPolicy: RemovalPolicy.RETAIN,
      });
    }
    const arn = iamArn(`oidc-provider/${ISSUER}`);
    return OidcProviderNative.fromOidcProviderArn(this, 'GitHub', withReferences(arn));
  }

  #createRole(id: string, subject: string, permissions: readonly Permission[]): void {
    const statements = permissions.map(
      ({ actions, resources }) =>
        new PolicyStatement({ actions, resources: resources.map(withReferences) }),
    );
    const role = new Role(this, id, {
      assumedBy: new WebIdentityPrincipal(this.#provider.oidcProviderArn, {
        StringEquals: {
          [`${ISSUER}:aud`]: AUDIENCE,
          [`${ISSUER}:sub`]: `repo:${this.#options.repository}:${subject}`,
        },
      }),
      inlinePolicies: { Permissions: new PolicyDocument({ statements }) },
    });
    for (const { resources, reason } of permissions) {
      if (reason === undefined) continue;
      for (const resource of resources) {
        Validations.of(role).acknowledge({
          id: `AwsSolutions-IAM5[Resource::${resource}]`,
          reason,
        });
      }
    }
    new CfnOutput(this, `${id}Arn`, { value: role.roleArn });
  }

  /** The CDK deploys with the roles that `cdk bootstrap` makes. */
  #toUseBootstrapRoles(): Permission {
    const { qualifier } = this.#options;
    return {
      actions: ['sts:AssumeRole'],
      resources: ['deploy', 'file-publishing', 'lookup'].map((kind) =>
        iamArn(`role/cdk-${qualifier}-${kind}-role-<AWS::AccountId>-<AWS::Region>`),
      ),
    };
  }

  /** What `stage verify` reads and sends, see docs/operators/command-line.md#permissions. */
  #toVerify(): Permission[] {
    const [state, service] = this.#stackNames();
    const reason = 'CloudFormation ends names of a stack with random characters.';
    return [
      this.#onStacks('cloudformation:DescribeStacks'),
      {
        actions: ['sqs:GetQueueAttributes'],
        resources: [arnOf('sqs', `${service}-*`)],
        reason,
      },
      {
        actions: ['sqs:SendMessage'],
        resources: [arnOf('sqs', `${service}-EventsQueue*`)],
        reason,
      },
      {
        actions: ['dynamodb:GetItem', 'dynamodb:Query'],
        resources: ['Integrations', 'PendingEvents', 'DeliveryLog'].map((table) =>
          arnOf('dynamodb', `table/${state}-${table}*`),
        ),
        reason,
      },
      {
        actions: ['dynamodb:Scan'],
        resources: [arnOf('dynamodb', `table/${state}-Integrations*`)],
        reason,
      },
      {
        actions: ['lambda:ListEventSourceMappings'],
        resources: ['*'],
        reason: 'Lambda lists the event source mappings of a whole account.',
      },
      {
        actions: ['scheduler:GetSchedule'],
        resources: [arnOf('scheduler', `schedule/integrations-${this.#options.stage}/*`)],
        reason: 'A schedule is named after its integration.',
      },
      {
        actions: ['sns:GetTopicAttributes'],
        resources: ['arn:<AWS::Partition>:sns:<AWS::Region>:*:*'],
        reason: 'A deployment chooses the topic of its alarms, also of another account.',
      },
      {
        actions: ['cloudwatch:DescribeAlarms', 'cloudwatch:GetMetricData'],
        resources: ['*'],
        reason: 'CloudWatch lists alarms and reads metrics of a whole account.',
      },
    ];
  }

  #onStacks(...actions: string[]): Permission {
    return {
      actions,
      resources: this.#stackNames().map((name) => arnOf('cloudformation', `stack/${name}/*`)),
      reason: 'CloudFormation ends the ARN of a stack with a random id.',
    };
  }

  #stackNames() {
    const { stage } = this.#options;
    return [`integrations-${stage}-state`, `integrations-${stage}-service`] as const;
  }
}

const arnOf = (service: string, name: string): string =>
  `arn:<AWS::Partition>:${service}:<AWS::Region>:<AWS::AccountId>:${name}`;

const iamArn = (name: string): string => `arn:<AWS::Partition>:iam::<AWS::AccountId>:${name}`;

const withReferences = (text: string): string =>
  text.includes('<') ? Fn.sub(text.replaceAll(/<(AWS::\w+)>/g, '$${$1}')) : text;
