import { AWS_REQUEST_LIMITS } from '../adapters/aws-sdk/aws-clients.ts';
import { AdministrationError } from '../core/refusal.ts';
import { awsClientConfig, type Endpoints } from '../local/endpoints-file.ts';

/** The deployment that a command acts on, and how to reach its AWS endpoint. */
export interface Target {
  readonly stage: string;
  /** For messages, such as "the embedded run at http://…". */
  readonly place: string;
  /** For clients of the AWS SDK. Empty for AWS: the SDK then reads environment and files. */
  readonly clientConfig: Partial<ReturnType<typeof awsClientConfig>>;
}

/** The configuration of every client of the AWS SDK. */
export type ClientConfig = typeof AWS_REQUEST_LIMITS & Target['clientConfig'];

export const clientConfigOf = ({ clientConfig }: Target): ClientConfig => ({
  ...AWS_REQUEST_LIMITS,
  ...clientConfig,
});

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Chooses the deployment. Without the option `--stage` only the embedded run that endpoints.json
 * describes (`run`) can be meant: throws AdministrationError when there is none, or when
 * AWS_ENDPOINT_URL names another place. Stage local is never looked for in AWS itself.
 */
export const chooseTarget = (
  stageOption: string | undefined,
  environment: Environment,
  run: Endpoints | undefined,
): Target => {
  const endpointUrl = environment.AWS_ENDPOINT_URL || undefined;
  const isElsewhere = endpointUrl !== undefined && !isSame(endpointUrl, run);
  if (stageOption !== undefined && (stageOption !== 'local' || isElsewhere)) {
    return { stage: stageOption, place: endpointUrl ?? 'AWS', clientConfig: {} };
  }
  if (isElsewhere) {
    throw new AdministrationError(
      `AWS_ENDPOINT_URL names ${endpointUrl}: name the stage there with --stage, or unset the variable.`,
    );
  }
  if (run === undefined) {
    throw new AdministrationError(
      'No service runs on this machine: start one with "npm start", or name a deployed stage with --stage, such as --stage dev.',
    );
  }
  return {
    stage: 'local',
    place: `the embedded run at ${run.aws}`,
    clientConfig: awsClientConfig(run),
  };
};

const isSame = (url: string, run: Endpoints | undefined): boolean =>
  run !== undefined && URL.parse(url)?.href === URL.parse(run.aws)?.href;
