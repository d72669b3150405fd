import { Aws, Duration, Stack } from 'aws-cdk-lib';
import {
  HeadersFrameOption,
  HeadersReferrerPolicy,
  ResponseHeadersPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';
import { contentSecurityPolicy, SECURITY_HEADERS } from '../../console/serving/response-headers.ts';

/** CloudFront refuses these as headers of one's own: it has settings for them. */
const WITH_SETTINGS = [
  'Strict-Transport-Security',
  'X-Content-Type-Options',
  'X-Frame-Options',
  'Referrer-Policy',
];

/** The headers of every file of the web console. `spoken`: whom its pages talk to. */
export const consoleHeaders = (
  scope: Construct,
  id: string,
  spoken: Parameters<typeof contentSecurityPolicy>[0],
): ResponseHeadersPolicy =>
  new ResponseHeadersPolicy(scope, id, {
    // All regions of an account share the names.
    responseHeadersPolicyName: `${Stack.of(scope).stackName}-${Aws.REGION}`,
    securityHeadersBehavior: {
      contentSecurityPolicy: {
        contentSecurityPolicy: contentSecurityPolicy(spoken),
        override: true,
      },
      strictTransportSecurity: {
        accessControlMaxAge: Duration.days(365),
        includeSubdomains: true,
        override: true,
      },
      contentTypeOptions: { override: true },
      frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
      referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
    },
    customHeadersBehavior: {
      customHeaders: Object.entries(SECURITY_HEADERS)
        .filter(([header]) => !WITH_SETTINGS.includes(header))
        .map(([header, value]) => ({ header, value, override: true })),
    },
  });
