import { Aws, Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import type { Route } from '../../lambdas/api/runtime/route.ts';
import { every, type Line } from '../monitoring/line.ts';
import type { StageSettings } from '../stage-settings.ts';

interface CallerThrottleProps {
  readonly api: RestApi;
  readonly settings: StageSettings;
  readonly routes: readonly Pick<Route, 'access' | 'path'>[];
}

/** The shortest window in which WAF counts. */
const WINDOW_SECONDS = 60;

type Statement = Omit<CfnWebACL.RateBasedStatementProperty, 'evaluationWindowSec'>;

/**
 * Limits the requests per minute of each access token and of each address. All callers share the
 * gateway's own throttles: without a limit for each caller, one client that loops would block all
 * customers. Addresses have limits too, because the gateway may count a request before the authorizer
 * or IAM refuses it. Tighter are the limits of costly calls, of those of the platform, and of public
 * documents, which are large. The gateway response WAF_FILTERED answers a blocked request.
 */
export class CallerThrottle extends Construct {
  /** The requests that each rule blocks. */
  readonly lines: readonly Line[];

  constructor(scope: Construct, id: string, { api, settings, routes }: CallerThrottleProps) {
    super(scope, id);
    const { stackName } = Stack.of(this);
    const name = `${stackName}-caller-throttle`;
    const statements = statementsOf(settings, routes);
    const acl = new CfnWebACL(this, 'WebAcl', {
      name,
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: visibilityOf(name),
      rules: Object.entries(statements).map(([rule, statement], priority) => ({
        name: rule,
        priority,
        action: { block: {} },
        statement: { rateBasedStatement: { ...statement, evaluationWindowSec: WINDOW_SECONDS } },
        visibilityConfig: visibilityOf(rule),
      })),
    });
    new CfnWebACLAssociation(this, 'Association', {
      resourceArn: api.deploymentStage.stageArn,
      webAclArn: acl.attrArn,
    });
    this.lines = Object.keys(statements).map((rule) => ({
      label: rule,
      metric: new Metric({
        namespace: 'AWS/WAFV2',
        metricName: 'BlockedRequests',
        dimensionsMap: { WebACL: name, Region: Aws.REGION, Rule: rule },
        ...every(5),
      }),
    }));
  }
}

const statementsOf = (
  { stage, throttling }: StageSettings,
  routes: CallerThrottleProps['routes'],
): Readonly<Record<string, Statement>> => {
  const ofPlatform = routes.filter(({ access }) => access === 'platform' || access === 'code');
  const platformCalls = ofPlatform.length > 0 && writesOf(ofPlatform, stage);
  const costly = { scopeDownStatement: costlyCalls(platformCalls) };
  return {
    'requests-per-token': { ...ofEachToken, limit: throttling.requestsPerMinuteAndToken },
    'requests-per-address': { ...ofEachAddress, limit: throttling.requestsPerMinuteAndAddress },
    'costly-requests-per-token': {
      ...{ ...ofEachToken, ...costly },
      limit: throttling.costlyPerMinuteAndToken,
    },
    'costly-requests-per-address': {
      ...{ ...ofEachAddress, ...costly },
      limit: throttling.costlyPerMinuteAndAddress,
    },
    'public-requests-per-address': {
      ...ofEachAddress,
      limit: throttling.publicPerMinuteAndAddress,
      scopeDownStatement: callsOf(
        routes.filter(({ access }) => access === 'public').map(({ path }) => path),
        stage,
      ),
    },
    ...(platformCalls && {
      'platform-requests-per-address': {
        ...ofEachAddress,
        limit: throttling.platformPerMinuteAndAddress,
        scopeDownStatement: platformCalls,
      },
    }),
  };
};

/** The service ignores the case of the scheme and the number of blanks, so the count does too. */
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

const hasMethod = (methods: string): CfnWebACL.StatementProperty => ({
  regexMatchStatement: {
    fieldToMatch: { method: {} },
    regexString: `^(${methods})$`,
    textTransformations: [{ priority: 0, type: 'NONE' }],
  },
});

/**
 * A search, and a filter that few deliveries may match: such a page reads up to ten times as much as a
 * usual one. Callers may encode a name.
 */
export const IS_COSTLY_QUERY = '(^|&)(about|outcome|delivered|eventType)=';

const isCostlyQuery: CfnWebACL.StatementProperty = {
  regexMatchStatement: {
    fieldToMatch: { queryString: {} },
    regexString: IS_COSTLY_QUERY,
    textTransformations: [{ priority: 0, type: 'URL_DECODE' }],
  },
};

const ofPaths = (regexString: string): CfnWebACL.StatementProperty => ({
  regexMatchStatement: {
    fieldToMatch: { uriPath: {} },
    regexString,
    textTransformations: [
      { priority: 0, type: 'URL_DECODE' },
      { priority: 1, type: 'NORMALIZE_PATH' },
    ],
  },
});

const allOf = (...statements: CfnWebACL.StatementProperty[]): CfnWebACL.StatementProperty => ({
  andStatement: { statements },
});

/** Not the preflight of a browser, which costs nothing and would halve the limit of a page. */
const isWrite = hasMethod('POST|PUT|PATCH|DELETE');

/** Writes of exactly these paths. */
const writesOf = (routes: CallerThrottleProps['routes'], stage: string) => {
  const paths = routes.map(({ path }) => path.slice(1).replaceAll(/\{\w+\}/g, '[^/]+'));
  return allOf(ofPaths(`^(/${stage})?/(${paths.join('|')})/?$`), isWrite);
};

/**
 * The platform calls for all customers from few addresses, and signs each request anew; a link is
 * opened by many people behind one address.
 */
const costlyCalls = (
  platformCalls: CfnWebACL.StatementProperty | false,
): CfnWebACL.StatementProperty => ({
  orStatement: {
    statements: [
      platformCalls ? allOf(isWrite, { notStatement: { statement: platformCalls } }) : isWrite,
      allOf(isCostlyQuery, hasMethod('GET')),
    ],
  },
});

/**
 * By their first segments, whatever their headers: nobody looks at the token of a call of a public
 * route. Without a domain of its own, the API has its stage's name before.
 */
const callsOf = (paths: readonly string[], stage: string): CfnWebACL.StatementProperty => {
  const segments = new Set(paths.map((path) => path.split('/')[1] ?? '').filter(Boolean));
  const named = [...segments].map((segment) => segment.replaceAll('.', '\\.')).join('|');
  return allOf(ofPaths(`^(/${stage})?(/(${named})(/|$)|/?$)`), hasMethod('GET|HEAD|POST'));
};

/** No samples of requests: they show headers, and the Authorization header has an access token. */
const visibilityOf = (metricName: string) => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
});
