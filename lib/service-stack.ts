import { Aws, CfnOutput, CfnRule, Duration, Fn, Stack, type StackProps } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import packageJson from '../package.json' with { type: 'json' };
import { contract, type StageSettings } from './config.ts';
import { QueueConsumer } from './constructs/queue-consumer.ts';
import { ServiceApi } from './constructs/service-api.ts';
import { ServiceFunction } from './constructs/service-function.ts';
import type { StateStack } from './state-stack.ts';

interface ServiceStackProps extends StackProps {
  readonly settings: StageSettings;
  readonly state: StateStack;
}

/** The way of an event, and the API in front of it. */
export class ServiceStack extends Stack {
  readonly #settings: StageSettings;
  readonly #state: StateStack;

  constructor(scope: Construct, id: string, props: ServiceStackProps) {
    super(scope, id, {
      ...props,
      terminationProtection: props.settings.deletionProtection,
    });
    this.#settings = props.settings;
    this.#state = props.state;
    if (props.settings.allowLoopback) this.#refuseDeployment();
    const deliveries = this.#createDeliveries();
    const events = this.#createEvents(deliveries);
    const api = this.#createApi();
    const outputs = {
      ApiUrl: api.url,
      EventsQueueUrl: events.queue.queueUrl,
      EventsDeadLetterQueueUrl: events.deadLetterQueue.queueUrl,
      DeliveriesQueueUrl: deliveries.queue.queueUrl,
      DeliveriesDeadLetterQueueUrl: deliveries.deadLetterQueue.queueUrl,
    };
    for (const [key, value] of Object.entries(outputs)) new CfnOutput(this, key, { value });
  }

  /** CloudFormation checks rules first. Emulators call their account 000000000000; AWS has none. */
  #refuseDeployment(): void {
    new CfnRule(this, 'LocalOnly', {
      assertions: [
        {
          assert: Fn.conditionEquals(Aws.ACCOUNT_ID, '000000000000'),
          assertDescription: 'The local stage allows loopback endpoints and is not for AWS.',
        },
      ],
    });
  }

  #createEvents(deliveries: QueueConsumer): QueueConsumer {
    const { integrations } = this.#state;
    const createRouteEvent = (deadLetterQueue: Queue) =>
      new ServiceFunction(this, 'RouteEvent', {
        name: 'route-event',
        description: 'Gives each event to the integrations that want it',
        settings: this.#settings,
        timeout: Duration.seconds(30),
        memoryMb: this.#settings.memoryMb.queue,
        environment: {
          INTEGRATIONS_TABLE: integrations.tableName,
          DELIVERIES_QUEUE_URL: deliveries.queue.queueUrl,
          EVENTS_DEAD_LETTER_QUEUE_URL: deadLetterQueue.queueUrl,
        },
        permissions: [
          { actions: ['dynamodb:Query'], resource: integrations.tableArn },
          { actions: ['sqs:SendMessage'], resource: deliveries.queue.queueArn },
          { actions: ['sqs:SendMessage'], resource: deadLetterQueue.queueArn },
        ],
      }).lambda;
    return new QueueConsumer(this, 'Events', {
      settings: this.#settings,
      createConsumer: createRouteEvent,
      maximumConcurrency: this.#settings.maximumConcurrency.routing,
      maxReceiveCount: 10,
      failure: {
        whenDeadLettered: 'these events reach no customer until they are put back.',
        whenLate: 'every customer hears of events late.',
        runbookSection: 'events-queue',
      },
    });
  }

  #createDeliveries(): QueueConsumer {
    return new QueueConsumer(this, 'Deliveries', {
      settings: this.#settings,
      createConsumer: (deadLetterQueue) => this.#createDeliverWebhook(deadLetterQueue),
      maximumConcurrency: this.#settings.maximumConcurrency.delivery,
      // The most SQS takes: what the endpoint did not confirm stays in the queue.
      maxReceiveCount: 1_000,
      failure: {
        whenDeadLettered: 'these events never reached their endpoint and are not tried again.',
        whenLate: 'customers get their webhooks late.',
        runbookSection: 'deliveries-queue',
      },
    });
  }

  #createDeliverWebhook(deadLetterQueue: Queue): LambdaFunction {
    const { attempts, integrations } = this.#state;
    return new ServiceFunction(this, 'DeliverWebhook', {
      name: 'deliver-webhook',
      description: 'POSTs each delivery to its endpoint and logs the attempt',
      settings: this.#settings,
      timeout: Duration.millis(contract.deliverTimeoutMs),
      memoryMb: this.#settings.memoryMb.queue,
      // Looking a name up holds a thread until it is answered, and Node has four: a batch of ten
      // must not stand behind a few slow names, nor must what else uses threads.
      threadPoolSize: 24,
      environment: {
        INTEGRATIONS_TABLE: integrations.tableName,
        ATTEMPTS_TABLE: attempts.tableName,
        DELIVERIES_DEAD_LETTER_QUEUE_URL: deadLetterQueue.queueUrl,
        CONNECT_TIMEOUT_MS: `${contract.connectTimeoutMs}`,
        RESPONSE_TIMEOUT_MS: `${contract.responseTimeoutMs}`,
        ATTEMPTS_RETENTION_DAYS: `${contract.attemptsRetentionDays}`,
        SERVICE_VERSION: packageJson.version,
        ALLOW_LOOPBACK: `${this.#settings.allowLoopback}`,
      },
      permissions: [
        { actions: ['dynamodb:GetItem'], resource: integrations.tableArn },
        { actions: ['dynamodb:PutItem'], resource: attempts.tableArn },
        { actions: ['sqs:SendMessage'], resource: deadLetterQueue.queueArn },
      ],
    }).lambda;
  }

  #createApi(): ServiceApi {
    const { directory, integrations } = this.#state;
    const shared = {
      settings: this.#settings,
      timeout: Duration.seconds(10),
      memoryMb: this.#settings.memoryMb.api,
    };
    const authorizeRequest = new ServiceFunction(this, 'AuthorizeRequest', {
      ...shared,
      name: 'authorize-request',
      description: 'Finds whose access token a request carries',
      environment: { DIRECTORY_TABLE: directory.tableName },
      permissions: [{ actions: ['dynamodb:GetItem'], resource: directory.tableArn }],
    });
    const createIntegration = new ServiceFunction(this, 'CreateIntegration', {
      ...shared,
      name: 'create-integration',
      description: 'POST /{account_name}/integrations',
      environment: {
        DIRECTORY_TABLE: directory.tableName,
        INTEGRATIONS_TABLE: integrations.tableName,
        ALLOW_LOOPBACK: `${this.#settings.allowLoopback}`,
      },
      permissions: [
        { actions: ['dynamodb:GetItem', 'dynamodb:PutItem'], resource: integrations.tableArn },
        // Idempotency records.
        { actions: ['dynamodb:GetItem', 'dynamodb:PutItem'], resource: directory.tableArn },
      ],
    });
    const getIntegration = new ServiceFunction(this, 'GetIntegration', {
      ...shared,
      name: 'get-integration',
      description: 'GET /integrations/{id}',
      environment: { INTEGRATIONS_TABLE: integrations.tableName },
      permissions: [{ actions: ['dynamodb:GetItem'], resource: integrations.tableArn }],
    });
    const getSignature = new ServiceFunction(this, 'GetSignature', {
      ...shared,
      name: 'get-signature',
      description: 'GET /users/{user}/signature',
      environment: { DIRECTORY_TABLE: directory.tableName },
      permissions: [{ actions: ['dynamodb:Query'], resource: directory.tableArn }],
    });
    return new ServiceApi(this, 'ServiceApi', {
      settings: this.#settings,
      authorizer: authorizeRequest.lambda,
      routes: [
        { method: 'POST', path: '/{account_name}/integrations', handler: createIntegration.lambda },
        { method: 'GET', path: '/integrations/{id}', handler: getIntegration.lambda },
        { method: 'GET', path: '/users/{user}/signature', handler: getSignature.lambda },
      ],
    });
  }
}
