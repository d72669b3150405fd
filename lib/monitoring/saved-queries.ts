import type { Stack } from 'aws-cdk-lib';
import { CfnQueryDefinition, type ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { ServiceFunction } from '../constructs/service-function.ts';

/** A query that is saved for CloudWatch Logs Insights. */
export interface LogQuery {
  /** The name under which an operator finds the query. */
  readonly name: string;
  /** The functions whose logs the query reads, by their folders in lambdas/. */
  readonly functions: 'all' | readonly string[];
  /** Whether the query also reads the access log of the API. */
  readonly readsAccessLog?: boolean;
  /** In Logs Insights QL. The operator replaces the words in capitals. */
  readonly text: string;
}

const LANES = ['deliver-webhook', 'deliver-slowly'] as const;
const ATTEMPTING = [...LANES, 'retry-hourly', 'send-api'] as const;
const DELIVERING = ['route-event', ...ATTEMPTING, 'run-replay'] as const;

const WHAT_HAPPENED =
  'fields @timestamp, message, account, integration, event, attempt, trigger, outcome, statusCode, reason, code, durationMs, nextAttemptAt';

export const LOG_QUERIES: readonly LogQuery[] = [
  {
    name: 'one event',
    functions: DELIVERING,
    // `events.routed` has the ids of a batch in a list.
    text: `${WHAT_HAPPENED}
| filter @message like "EVENT_ID"
| sort @timestamp asc
| limit 10000`,
  },
  {
    name: 'one delivery',
    functions: DELIVERING,
    text: `${WHAT_HAPPENED}
| filter event = "EVENT_ID" and integration = "INTEGRATION_ID"
| sort @timestamp asc
| limit 10000`,
  },
  {
    name: 'one integration',
    functions: [...DELIVERING, 'change-api'],
    text: `fields @timestamp, message, user, event, trigger, outcome, statusCode, reason, code, result, replayed, because
| filter integration = "INTEGRATION_ID"
| sort @timestamp desc
| limit 1000`,
  },
  {
    name: 'deliveries by minute',
    functions: LANES,
    text: `filter message = "deliveries.attempted"
| stats sum(delivered), sum(transient), sum(fatal), sum(pending), sum(setAside), sum(dropped), max(slowestMs) by bin(1m)`,
  },
  {
    name: 'failures by reason',
    functions: ATTEMPTING,
    text: `filter message = "delivery.attempted" and outcome != "delivered"
| stats count(*) as attempts, count_distinct(integration) as integrations, count_distinct(account) as accounts by outcome, statusCode, reason, code
| sort attempts desc`,
  },
  {
    name: 'failures by integration',
    functions: ATTEMPTING,
    text: `filter message = "delivery.attempted" and outcome != "delivered"
| stats count(*) as attempts, count_distinct(event) as events, latest(statusCode) as status, latest(reason) as why, max(durationMs) as ms by account, integration
| sort attempts desc
| limit 100`,
  },
  {
    name: 'slowest endpoints',
    functions: LANES,
    text: `filter message = "deliveries.attempted"
| stats count(*) as batches, max(slowestMs) as ms by slowestIntegration
| sort ms desc
| limit 50`,
  },
  {
    name: 'errors',
    functions: 'all',
    text: `fields @timestamp, @log, message, error, receiveCount, requestId, route
| filter level = "ERROR" or @message like /"status":"timeout"|Runtime\\.[A-Z]/
| sort @timestamp desc
| limit 1000`,
  },
  {
    name: 'error counts',
    functions: 'all',
    text: `filter level = "ERROR"
| stats count(*) as times, earliest(@timestamp) as since, latest(@timestamp) as until by message, error
| sort times desc`,
  },
  {
    name: 'requests by account',
    functions: [],
    readsAccessLog: true,
    text: `stats count(*) as requests, max(latencyMs) as ms by account, status
| sort requests desc`,
  },
  {
    name: 'requests by route',
    functions: [],
    readsAccessLog: true,
    text: `stats count(*) as requests, max(latencyMs) as ms by method, resource, status, gatewayError
| sort requests desc`,
  },
];

/** The saved queries of docs/operators/logs-and-metrics.md, which are free. Call it after the functions. */
export const saveQueries = (
  stack: Stack,
  { folder, accessLog }: { readonly folder: string; readonly accessLog: ILogGroup },
): void => {
  const found = stack.node.findAll().filter((construct) => construct instanceof ServiceFunction);
  const logs = new Map<string, ILogGroup>(found.map(({ name, lambda }) => [name, lambda.logGroup]));
  const scope = new Construct(stack, 'Queries');
  for (const { name, functions, readsAccessLog, text } of LOG_QUERIES) {
    const read = functions === 'all' ? [...logs.keys()] : functions;
    const groups = [...read.map((of) => logs.get(of)), ...(readsAccessLog ? [accessLog] : [])];
    new CfnQueryDefinition(scope, name, {
      name: `${folder}/${name}`,
      queryString: text,
      logGroupNames: groups.map((group) => group?.logGroupName ?? `no log of ${name}`),
    });
  }
};
