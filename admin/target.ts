import { AdministrationError } from '../core/directory/administration-error.ts';
import type { Endpoints } from '../local/endpoints-file.ts';

/** Which deployment a command acts on, and how its AWS endpoint is reached. */
export interface Target {
  readonly stage: string;
  /** For people: "the embedded run at http://…". */
  readonly place: string;
  /** What the SDK's clients are made with; empty: what the SDK finds in environment and files. */
  readonly clientConfig: {
    readonly endpoint?: string;
    readonly region?: string;
    readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  };
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Either says that the caller has a place in mind. AWS_REGION alone does not. */
const NAMES_A_PLACE =
  /^AWS_(ENDPOINT_URL(_.*)?|PROFILE|ACCESS_KEY_ID|WEB_IDENTITY_TOKEN_FILE|CONTAINER_CREDENTIALS_.*)$/;

/**
 * `--stage` decides. Without it: the embedded run when one is described and the environment names
 * no other place, otherwise stage dev. The local stage is never looked for in AWS itself.
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
    clientConfig: {
      endpoint: run.aws,
      region: run.region,
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    },
  };
};

const namesPlace = (environment: Environment): boolean =>
  Object.entries(environment).some(([name, value]) => value && NAMES_A_PLACE.test(name));

const isSame = (url: string, run: Endpoints | undefined): boolean =>
  run !== undefined && URL.parse(url)?.href === URL.parse(run.aws)?.href;
