import { readFileSync } from 'node:fs';
import type { Environment } from 'aws-cdk-lib';
import * as z from 'zod';
import { type DeploymentOptions, faultsOf, optionsSchema } from './deployment-options.ts';
import { regionFaultOf } from './region-gaps.ts';
import type { StageName } from './stage-settings.ts';

const schema = z.strictObject({ dev: optionsSchema.optional(), prod: optionsSchema.optional() });

/** The options that the file of deployments has for a stage. Stage `local` is not in the file. */
export const deploymentOf = (path: string, stage: unknown): DeploymentOptions => {
  if (stage !== 'dev' && stage !== 'prod') return {};
  const { data, error } = schema.safeParse(contentOf(path));
  if (error) throw new Error(`${path}: ${faultsOf(error)}.`);
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
 * Throws for a region that lacks what the options need.
 */
export const environmentOf = (
  stage: StageName,
  options: DeploymentOptions,
  credentials: Environment,
): Environment => {
  const { account, region } = options;
  if (stage === 'prod' && (account === undefined || region === undefined)) {
    throw new Error(
      'it needs its AWS account and region: write "account" and "region" of "prod" in deployments.json, or add -c account=… -c region=….',
    );
  }
  if (
    account !== undefined &&
    credentials.account !== undefined &&
    account !== credentials.account
  ) {
    throw new Error(
      `it belongs to AWS account ${account}, but the credentials are of ${credentials.account}.`,
    );
  }
  const fault = regionFaultOf(options, region ?? credentials.region);
  if (stage !== 'local' && fault !== undefined) throw new Error(`${fault}.`);
  return { ...(account !== undefined && { account }), ...(region !== undefined && { region }) };
};
