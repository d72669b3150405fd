import { AdministrationError } from '../core/directory/administration-error.ts';
import { awsClientConfig, type Endpoints } from '../local/endpoints-file.ts';

/** The deployment that a command acts on, and how to reach its AWS endpoint. */
export interface Target {
  readonly stage: string;
  /** For messages, such as "the embedded run at http://…". */
  readonly place: string;
  /** For clients of the AWS SDK. Empty for AWS: the SDK then reads environment and files. */
  readonly clientConfig: Partial<ReturnType<typeof awsClientConfig>>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Each of these variables says that the caller means a certain place; AWS_REGION does not. */
const NAMES_A_PLACE =
  /^AWS_(ENDPOINT_URL(_.*)?|PROFILE|ACCESS_KEY_ID|WEB_IDENTITY_TOKEN_FILE|CONTAINER_CREDENTIALS_.*)$/;

/**
 * Chooses the deployment. Without the option `--stage`: the embedded run, if endpoints.json
 * describes one (`run`) and the environment names no other place; otherwise stage dev. Stage local
 * is never looked for in AWS itself: throws AdministrationError when no run is described.
 */
export const chooseTarget = (
  stageOption: string | undefined,
  environment: Environment,
  run: Endpoints | undefined,
): Target => {
  const endpointUrl = environment.AWS_ENDPOINT_URL || undefined;
  const meansRun = endpointUrl === undefined ? !namesPlace(environment) : isSame(endpointUrl, run);
  const stage = stageOption ?? (run !== undefined && meansRun ? 'local' : 'dev');
  const isRun = stage === 'local' && (endpointUrl === undefined || isSame(endpointUrl, run));
  if (!isRun) return { stage, place: endpointUrl ?? 'AWS', clientConfig: {} };
  if (run === undefined) {
    throw new AdministrationError(
      'No embedded run is described by .local/endpoints.json: start one with "npm start".',
    );
  }
  return {
    stage,
    place: `the embedded run at ${run.aws}`,
    clientConfig: awsClientConfig(run),
  };
};

const namesPlace = (environment: Environment): boolean =>
  Object.entries(environment).some(([name, value]) => value && NAMES_A_PLACE.test(name));

const isSame = (url: string, run: Endpoints | undefined): boolean =>
  run !== undefined && URL.parse(url)?.href === URL.parse(run.aws)?.href;
