/** Region and account of the embedded run. fauxqs and dynalite use this account. */
export const REGION = 'us-east-1';
export const ACCOUNT_ID = '000000000000';
export const PARTITION = 'aws';

export const arn = (service: string, resource: string): string =>
  `arn:${PARTITION}:${service}:${REGION}:${ACCOUNT_ID}:${resource}`;

/** IAM is not regional: its ARNs have an empty region. */
export const iamArn = (resource: string): string =>
  `arn:${PARTITION}:iam::${ACCOUNT_ID}:${resource}`;
