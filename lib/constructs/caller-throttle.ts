import { Aws, Duration, Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import type { StageSettings } from '../stage-settings.ts';
import { PlottedMetric } from './monitoring.ts';

interface CallerThrottleProps {
  readonly api: RestApi;
  readonly throttling: StageSettings['throttling'];
  /** Paths of the routes that have limits of their own. */
  readonly costlyPaths: readonly string[];
}

/** The shortest window in which WAF counts. */
const WINDOW_SECONDS = 60;

const RULES = [
  'requests-per-token',
  'requests-per-address',
  'costly-requests-per-token',
  'costly-requests-per-address',
] as const;

/**
 * Limits the requests per minute of each access token and of each address, and more tightly the
 * requests to costly routes. The gateway's own throttles, of the stage and of each costly route, are
 * shared by all callers: without a limit per caller, one client that loops would take the API, or
 * these routes, away from every customer. Addresses have the limits, too, because the gateway may
 * count a request before the authorizer refuses its token, and anybody can make up tokens. The
 * gateway response WAF_FILTERED answers a blocked request. Browsers send preflights without a token,
 * once an hour for an address of the API, and the limit of the caller's address counts them.
 */
export class CallerThrottle extends Construct {
  constructor(scope: Construct, id: string, { api, throttling, costlyPaths }: CallerThrottleProps) {
    super(scope, id);
    const name = `${Stack.of(this).stackName}-caller-throttle`;
    const acl = new CfnWebACL(this, 'WebAcl', {
      name,
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: visibilityOf(name),
      rules: [
        rateRule('requests-per-token', 0, {
          ...ofEachToken,
          limit: throttling.requestsPerMinuteAndToken,
        }),
        rateRule('requests-per-address', 1, {
          ...ofEachAddress,
          limit: throttling.requestsPerMinuteAndAddress,
        }),
        rateRule('costly-requests-per-token', 2, {
          ...ofEachToken,
          limit: throttling.costlyPerMinuteAndToken,
          scopeDownStatement: callsEndingLike(costlyPaths),
        }),
        rateRule('costly-requests-per-address', 3, {
          ...ofEachAddress,
          limit: throttling.costlyPerMinuteAndAddress,
          scopeDownStatement: callsEndingLike(costlyPaths),
        }),
      ],
    });
    new CfnWebACLAssociation(this, 'Association', {
      resourceArn: api.deploymentStage.stageArn,
      webAclArn: acl.attrArn,
    });
    for (const rule of RULES) {
      new PlottedMetric(this, rule, {
        graph: 'blocked',
        label: rule,
        metric: new Metric({
          namespace: 'AWS/WAFV2',
          metricName: 'BlockedRequests',
          dimensionsMap: { WebACL: name, Region: Aws.REGION, Rule: rule },
          period: Duration.minutes(5),
          statistic: 'Sum',
        }),
      });
    }
  }
}

/**
 * One count for all spellings of the header with the same token: the service ignores the case of
 * the scheme and the number of blanks.
 */
const ofEachToken = {
  aggregateKeyType: 'CUSTOM_KEYS',
  customKeys: [
    {
      header: {
        name: 'authorization',
        textTransformations: [
          { priority: 0, type: 'COMPRESS_WHITE_SPACE' },
          { priority: 1, type: 'LOWERCASE' },
        ],
      },
    },
  ],
};

const ofEachAddress = { aggregateKeyType: 'IP' };

/**
 * Without the preflights of browsers, which cost nothing and come before the calls of a page: with
 * them a page would have half of the limit.
 */
const callsEndingLike = (paths: readonly string[]): CfnWebACL.StatementProperty => ({
  andStatement: {
    statements: [endingLike(paths), { notStatement: { statement: isPreflight } }],
  },
});

const isPreflight: CfnWebACL.StatementProperty = {
  byteMatchStatement: {
    fieldToMatch: { method: {} },
    positionalConstraint: 'EXACTLY',
    searchString: 'OPTIONS',
    textTransformations: [{ priority: 0, type: 'NONE' }],
  },
};

/**
 * Matches requests whose path has the last segment of one of the paths. The rest of a path may have
 * slashes that a caller has encoded, so it is not compared; nor is a slash at the end.
 */
const endingLike = (paths: readonly string[]): CfnWebACL.StatementProperty => ({
  regexMatchStatement: {
    fieldToMatch: { uriPath: {} },
    regexString: `/(${paths.map((path) => path.split('/').at(-1)).join('|')})/?$`,
    textTransformations: [
      { priority: 0, type: 'URL_DECODE' },
      { priority: 1, type: 'NORMALIZE_PATH' },
    ],
  },
});

const rateRule = (
  name: (typeof RULES)[number],
  priority: number,
  statement: Omit<CfnWebACL.RateBasedStatementProperty, 'evaluationWindowSec'>,
): CfnWebACL.RuleProperty => ({
  name,
  priority,
  action: { block: {} },
  statement: { rateBasedStatement: { ...statement, evaluationWindowSec: WINDOW_SECONDS } },
  visibilityConfig: visibilityOf(name),
});

/** No samples of requests: they show headers, and the Authorization header has an access token. */
const visibilityOf = (metricName: string) => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
});
