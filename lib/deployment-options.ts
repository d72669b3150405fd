import { ATTEMPT_LINES, type AttemptLines } from '../lambdas/runtime/environment.ts';
import { RELEASES, type Release, type SignIn, type StageName } from './stage-settings.ts';

/** The options of a deployment, as `-c` gives them. */
export interface DeploymentOptions {
  /** How long an hour of the local Scheduler lasts: a positive whole number. */
  readonly hourSeconds?: unknown;
  /** Of stage `local`: where the web console is served. An origin as browsers write it; `*` is none. */
  readonly consoleOrigin?: unknown;
  readonly attemptLines?: unknown;
  /** Of stage `dev` or `local`: `false` leaves the web ACL out. */
  readonly webAcl?: unknown;
  /** Of stage `dev` or `local`: `false` leaves all alarms out. */
  readonly alarms?: unknown;
  /** `true` or `false`, as text. */
  readonly tracing?: unknown;
  readonly dashboard?: unknown;
  /** Of stage `prod`. */
  readonly release?: unknown;
  /** With `signInClientId` and `signInJwksUri`, for stage local: deployed stages have a user pool. */
  readonly signInIssuer?: unknown;
  readonly signInClientId?: unknown;
  readonly signInJwksUri?: unknown;
}

/** The type finds an option that is missing here. */
const NAMES: Readonly<Record<keyof DeploymentOptions, true>> = {
  hourSeconds: true,
  consoleOrigin: true,
  attemptLines: true,
  webAcl: true,
  alarms: true,
  tracing: true,
  dashboard: true,
  release: true,
  signInIssuer: true,
  signInClientId: true,
  signInJwksUri: true,
};

/** The options in the context of an app, which `-c` sets. */
export const optionsIn = (contextOf: (name: string) => unknown): DeploymentOptions =>
  Object.fromEntries(Object.keys(NAMES).map((name) => [name, contextOf(name)]));

export const corsOriginOf = (stage: StageName, text: unknown): string => {
  if (stage !== 'local') throw new Error(`Stage "${stage}" has a web console of its own.`);
  const origin = String(text);
  if (URL.canParse(origin) && new URL(origin).origin === origin) return origin;
  throw new Error('consoleOrigin must be an origin, such as http://localhost:4080.');
};

export const signInOf = (
  stage: StageName,
  { signInIssuer, signInClientId, signInJwksUri }: DeploymentOptions,
): { signIn?: SignIn } => {
  const given = [signInIssuer, signInClientId, signInJwksUri];
  if (given.every((value) => value === undefined)) return {};
  if (stage !== 'local') throw new Error(`People sign in to stage "${stage}" at its user pool.`);
  if (given.some((value) => typeof value !== 'string' || value === '')) {
    throw new Error('A sign-in needs signInIssuer, signInClientId and signInJwksUri.');
  }
  const [issuer, clientId, jwksUri] = given.map(String) as [string, string, string];
  return { signIn: { issuer, clientId, jwksUri } };
};

export const attemptLinesOf = (text: unknown): AttemptLines => {
  const lines = ATTEMPT_LINES.find((name) => name === text);
  if (lines === undefined) throw new Error(`attemptLines must be ${ATTEMPT_LINES.join(' or ')}.`);
  return lines;
};

/** Stage `prod` always has a web ACL. */
export const webAclOf = (stage: StageName, value: unknown): boolean => {
  const isWanted = flagOf('webAcl', value);
  if (!isWanted && stage === 'prod') {
    throw new Error('Stage "prod" has a web ACL: without it one caller takes the API from all.');
  }
  return isWanted;
};

/** Alarms take a release of stage `prod` back, and a dashboard is made of them. */
export const alarmsOf = (stage: StageName, { alarms, dashboard }: DeploymentOptions): boolean => {
  const areWanted = flagOf('alarms', alarms);
  if (!areWanted && stage === 'prod') {
    throw new Error('Stage "prod" has alarms: without them a bad release is not rolled back.');
  }
  if (!areWanted && dashboard !== undefined && flagOf('dashboard', dashboard)) {
    throw new Error('A dashboard draws the alarms: choose both, or neither.');
  }
  return areWanted;
};

/** An option that is `true` or `false`. */
export const flagOf = (name: string, value: unknown): boolean => {
  const text = String(value);
  if (text === 'true' || text === 'false') return text === 'true';
  throw new Error(`${name} must be true or false.`);
};

export const releaseOf = (stage: StageName, text: unknown): Release => {
  if (stage !== 'prod') throw new Error(`Stage "${stage}" has no versions to release.`);
  const release = RELEASES.find((name) => name === text);
  if (release === undefined) throw new Error(`release must be ${RELEASES.join(' or ')}.`);
  return release;
};
