import { readFileSync } from 'node:fs';
import type { Environment } from 'aws-cdk-lib';
import * as z from 'zod';
import { type DeploymentOptions, OPTION_NAMES } from './deployment-options.ts';
import type { StageName } from './stage-settings.ts';

const value = z.union(
  [z.string(), z.number(), z.boolean()],
  'must be text, a number, true or false',
);

/** The options of a stage. The functions of deployment-options.ts check the values further. */
const optionsSchema = z.strictObject(
  Object.fromEntries(OPTION_NAMES.map((name) => [name, value.optional()])),
);

const schema = z.strictObject({ dev: optionsSchema.optional(), prod: optionsSchema.optional() });

/** The options that the file of deployments has for a stage. Stage `local` is not in the file. */
export const deploymentOf = (path: string, stage: unknown): DeploymentOptions => {
  if (stage !== 'dev' && stage !== 'prod') return {};
  const { data, error } = schema.safeParse(contentOf(path));
  if (error) {
    const faults = error.issues.map((issue) => [...issue.path, issue.message].join(': '));
    throw new Error(`${path}: ${faults.join('; ')}.`);
  }
  return data[stage] ?? {};
};

const contentOf = (path: string): unknown => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (fault) {
    throw new Error(`${path} cannot be read: ${fault instanceof Error ? fault.message : fault}`);
  }
};

/**
 * The AWS account and region that a stage belongs to; what is undefined is that of the credentials.
 * `credentialsAccount`: the account of the credentials, if there are any.
 */
export const environmentOf = (
  stage: StageName,
  options: DeploymentOptions,
  credentialsAccount: string | undefined,
): Environment => {
  const [account, region] = [options.account, options.region].map((option) =>
    option === undefined ? undefined : String(option),
  );
  if (stage === 'prod' && (account === undefined || region === undefined)) {
    throw new Error(
      'it needs its AWS account and region: write "account" and "region" of "prod" in deployments.json, or add -c account=… -c region=….',
    );
  }
  if (account !== undefined && !/^\d{12}$/.test(account)) {
    throw new Error('account must be the 12 digits of an AWS account, as text.');
  }
  if (region !== undefined && !/^[a-z]{2,}(?:-[a-z]+)+-\d+$/.test(region)) {
    throw new Error('region must be a region of AWS, such as eu-west-1.');
  }
  if (account !== undefined && credentialsAccount !== undefined && account !== credentialsAccount) {
    throw new Error(
      `it belongs to AWS account ${account}, but the credentials are of ${credentialsAccount}.`,
    );
  }
  return { ...(account !== undefined && { account }), ...(region !== undefined && { region }) };
};
