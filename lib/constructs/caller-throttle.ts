import { Aws, Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { every, type Line } from '../monitoring/line.ts';
import type { StageSettings } from '../stage-settings.ts';

interface CallerThrottleProps {
  readonly api: RestApi;
  readonly settings: StageSettings;
  /** Paths of the routes that need no token. */
  readonly publicPaths: readonly string[];
}

/** The shortest window in which WAF counts. */
const WINDOW_SECONDS = 60;

type Statement = Omit<CfnWebACL.RateBasedStatementProperty, 'evaluationWindowSec'>;

/**
 * Limits the requests per minute of each access token and of each address. All callers share the
 * gateway's own throttles: without a limit for each caller, one client that loops would block all
 * customers. Addresses have limits too, because the gateway may count a request before the authorizer
 * refuses its token. Tighter are the limits of writes, of searches, which read an index that all
 * customers share, and of public documents, which are large. The gateway response WAF_FILTERED answers
 * a blocked request.
 */
export class CallerThrottle extends Construct {
  /** The requests that each rule blocks. */
  readonly lines: readonly Line[];

  constructor(scope: Construct, id: string, { api, settings, publicPaths }: CallerThrottleProps) {
    super(scope, id);
    const { stage, throttling } = settings;
    const name = `${Stack.of(this).stackName}-caller-throttle`;
    const statements: Readonly<Record<string, Statement>> = {
      'requests-per-token': { ...ofEachToken, limit: throttling.requestsPerMinuteAndToken },
      'requests-per-address': { ...ofEachAddress, limit: throttling.requestsPerMinuteAndAddress },
      'costly-requests-per-token': {
        ...ofEachToken,
        limit: throttling.costlyPerMinuteAndToken,
        scopeDownStatement: costlyCalls,
      },
      'costly-requests-per-address': {
        ...ofEachAddress,
        limit: throttling.costlyPerMinuteAndAddress,
        scopeDownStatement: costlyCalls,
      },
      'public-requests-per-address': {
        ...ofEachAddress,
        limit: throttling.publicPerMinuteAndAddress,
        scopeDownStatement: callsOf(publicPaths, stage),
      },
    };
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

/** `GET /{account_name}/deliveries?about=`. Callers may encode the name of the argument. */
const isSearch: CfnWebACL.StatementProperty = {
  regexMatchStatement: {
    fieldToMatch: { queryString: {} },
    regexString: '(^|&)about=',
    textTransformations: [{ priority: 0, type: 'URL_DECODE' }],
  },
};

/** The platform calls for all customers from few addresses, and signs each request anew. */
const notOfPlatform: CfnWebACL.StatementProperty = {
  notStatement: {
    statement: {
      regexMatchStatement: {
        fieldToMatch: { uriPath: {} },
        regexString: '/(accounts/[^/]+/console-links|users/[^/]+/signature)$',
        textTransformations: [{ priority: 0, type: 'NONE' }],
      },
    },
  },
};

/** Not the preflight of a browser, which costs nothing and would halve the limit of a page. */
const costlyCalls: CfnWebACL.StatementProperty = {
  orStatement: {
    statements: [
      { andStatement: { statements: [hasMethod('POST|PUT|PATCH|DELETE'), notOfPlatform] } },
      { andStatement: { statements: [isSearch, hasMethod('GET')] } },
    ],
  },
};

/**
 * By their first segments, whatever their headers: nobody looks at the token of a call of a public
 * route. Without a domain of its own, the API has its stage's name before.
 */
const callsOf = (paths: readonly string[], stage: string): CfnWebACL.StatementProperty => {
  const segments = new Set(paths.map((path) => path.split('/')[1] ?? '').filter(Boolean));
  const named = [...segments].map((segment) => segment.replaceAll('.', '\\.')).join('|');
  const isPublic: CfnWebACL.StatementProperty = {
    regexMatchStatement: {
      fieldToMatch: { uriPath: {} },
      regexString: `^(/${stage})?(/(${named})(/|$)|/?$)`,
      textTransformations: [
        { priority: 0, type: 'URL_DECODE' },
        { priority: 1, type: 'NORMALIZE_PATH' },
      ],
    },
  };
  return { andStatement: { statements: [isPublic, hasMethod('GET|HEAD|POST')] } };
};

/** No samples of requests: they show headers, and the Authorization header has an access token. */
const visibilityOf = (metricName: string) => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
});
