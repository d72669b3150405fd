import { Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import type { StageSettings } from '../config.ts';

interface CallerThrottleProps {
  readonly api: RestApi;
  readonly throttling: StageSettings['throttling'];
}

/** The shortest window in which WAF counts. */
const WINDOW_SECONDS = 60;

/**
 * Limits the requests per minute of each access token and of each address. The gateway's own
 * throttle is shared by all callers: without a limit per caller, one client that loops would take
 * the API away from every customer. The gateway response WAF_FILTERED answers a blocked request.
 */
export class CallerThrottle extends Construct {
  constructor(scope: Construct, id: string, { api, throttling }: CallerThrottleProps) {
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
          aggregateKeyType: 'IP',
          limit: throttling.requestsPerMinuteAndAddress,
        }),
      ],
    });
    new CfnWebACLAssociation(this, 'Association', {
      resourceArn: api.deploymentStage.stageArn,
      webAclArn: acl.attrArn,
    });
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

const rateRule = (
  name: string,
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
