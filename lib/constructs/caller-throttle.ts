import { Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import type { StageSettings } from '../config.ts';

interface CallerThrottleProps {
  readonly api: RestApi;
  readonly throttling: StageSettings['throttling'];
}

/** The shortest that WAF counts over. */
const WINDOW_SECONDS = 60;

/**
 * Lets each access token, and each address, make so many requests a minute. The gateway's own
 * throttle is one for all callers: without this a single client that loops takes the API away from
 * every customer. What is blocked is answered by the gateway response for WAF_FILTERED.
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

/** By what the header says, however it is spelt: the scheme has no case, nor a number of blanks. */
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

/** No samples: they show requests with their headers, and these have an access token. */
const visibilityOf = (metricName: string) => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
});
