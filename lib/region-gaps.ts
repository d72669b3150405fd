import type { DeploymentOptions } from './deployment-options.ts';

/**
 * Regions whose CloudFormation lacks a resource type that an option needs, by the schemas of
 * CloudFormation: `.ci/run templates` compares them, and prints what to write here.
 */
export const REGION_GAPS: Readonly<
  Record<'console' | 'mailFrom' | 'monthlyBudget', readonly string[]>
> = {
  console: ['cn-north-1', 'cn-northwest-1', 'us-gov-east-1', 'us-gov-west-1'],
  mailFrom: [
    'ap-east-1',
    'ap-east-2',
    'ap-southeast-4',
    'ap-southeast-6',
    'ap-southeast-7',
    'cn-north-1',
    'cn-northwest-1',
    'eu-south-2',
    'mx-central-1',
  ],
  monthlyBudget: [
    'af-south-1',
    'ap-east-1',
    'ap-east-2',
    'ap-northeast-3',
    'ap-south-2',
    'ap-southeast-3',
    'ap-southeast-4',
    'ap-southeast-5',
    'ap-southeast-6',
    'ap-southeast-7',
    'ca-west-1',
    'eu-central-2',
    'eu-north-1',
    'eu-south-1',
    'eu-south-2',
    'il-central-1',
    'me-central-1',
    'mx-central-1',
    'us-gov-east-1',
    'us-gov-west-1',
  ],
};

/** Why the stages with a console, or with other options, cannot be in a region; undefined if they can. */
export const regionFaultOf = (
  { console, mailFrom, monthlyBudget }: DeploymentOptions,
  region: string | undefined,
): string | undefined => {
  const isMissing = (option: keyof typeof REGION_GAPS) =>
    region !== undefined && REGION_GAPS[option].includes(region);
  if (console !== false && isMissing('console'))
    return `${region} lacks CloudFront or Cognito, which the web console needs: add console=false`;
  if (mailFrom !== undefined && isMissing('mailFrom'))
    return `${region} lacks what mailFrom needs of SES: leave it out`;
  if (monthlyBudget !== undefined && isMissing('monthlyBudget'))
    return `${region} lacks AWS Budgets, which monthlyBudget needs: leave it out`;
  return undefined;
};
