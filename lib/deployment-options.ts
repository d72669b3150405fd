import { ATTEMPT_LINES, type AttemptLines } from '../lambdas/runtime/environment.ts';
import { RELEASES, type Release, type SignIn, type StageName } from './stage-settings.ts';

/** The options of a stage, see docs/operators/deploy.md. */
export const OPTION_NAMES = [
  'account',
  'alarmEmail',
  'alarmTopicArn',
  'alarms',
  'attemptLines',
  'apiCertificateArn',
  'apiDomain',
  'backupCopyVaultArn',
  'backups',
  'batchingWindow',
  'canary',
  'console',
  'consoleCertificateArn',
  'consoleDomain',
  'dashboard',
  'mailFrom',
  'monthlyBudget',
  'region',
  'release',
  'secretsKeyArn',
  'tracing',
  'webAcl',
  // Of stage `local`.
  'consoleOrigin',
  'hourSeconds',
  'signInClientId',
  'signInIssuer',
  'signInJwksUri',
] as const;

/** The options of a deployment, as `-c` or deployments.json gives them. */
export type DeploymentOptions = { readonly [Name in (typeof OPTION_NAMES)[number]]?: unknown };

/** The options of a stage in its file; those in the context of the app, which `-c` sets, go first. */
export const optionsIn = (
  contextOf: (name: string) => unknown,
  ofFile: DeploymentOptions = {},
): DeploymentOptions =>
  Object.fromEntries(OPTION_NAMES.map((name) => [name, contextOf(name) ?? ofFile[name]]));

/** An origin as browsers write it. */
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

export const attemptLinesOf = (text: unknown): AttemptLines =>
  oneOf('attemptLines', ATTEMPT_LINES, text);

/** Stage `prod` always has a web ACL. */
export const webAclOf = (stage: StageName, value: unknown): boolean => {
  const isWanted = flagOf('webAcl', value);
  if (!isWanted && stage === 'prod') {
    throw new Error('Stage "prod" has a web ACL: without it one caller takes the API from all.');
  }
  return isWanted;
};

/** Stage `prod` always has alarms, and so does a stage with a dashboard. */
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

export const releaseOf = (stage: StageName, text: unknown): Release => {
  if (stage !== 'prod') throw new Error(`Stage "${stage}" has no versions to release.`);
  return oneOf('release', RELEASES, text);
};

/** Of SES: at most 320 characters, all of ASCII, and a domain in lower case. */
const MAIL_FROM = /^[\w.+-]{1,64}@(?:[a-z0-9-]{1,63}\.)*[a-z0-9-]{1,63}$/;

export const mailFromOf = (text: unknown): string => {
  if (typeof text === 'string' && text.length <= 320 && MAIL_FROM.test(text)) return text;
  throw new Error('mailFrom must be an e-mail address, such as webhooks@example.com.');
};

/** In seconds. */
export const batchingWindowOf = (value: unknown): number => {
  if (/^(?:\d|10)$/.test(String(value))) return Number(value);
  throw new Error('batchingWindow must be a whole number of seconds, 0 to 10.');
};

export const flagOf = (name: string, value: unknown): boolean =>
  oneOf(name, ['true', 'false'], String(value)) === 'true';

const oneOf = <Value extends string>(
  name: string,
  values: readonly Value[],
  given: unknown,
): Value => {
  const value = values.find((one) => one === given);
  if (value === undefined) throw new Error(`${name} must be ${values.join(' or ')}.`);
  return value;
};

/** A domain for the web console or the API, instead of the one that AWS gives. */
export interface OwnDomain {
  readonly name: string;
  /** Of a certificate of ACM for the name. */
  readonly certificateArn: string;
}

const DOMAIN_NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/;
const CERTIFICATE = /^arn:aws[\w-]*:acm:([a-z0-9-]+):\d{12}:certificate\/[\w-]+$/;

/** Whether a stage has a web console of its own. The program that runs stage `local` has one. */
export const hasConsole = (
  stage: StageName,
  { console: wanted = 'true', consoleDomain }: DeploymentOptions,
): boolean => {
  const isWanted = flagOf('console', wanted);
  if (!isWanted && consoleDomain !== undefined) {
    throw new Error('A stage without a web console has no consoleDomain: leave one of them out.');
  }
  return isWanted && stage !== 'local';
};

/** From the options `consoleDomain` and `consoleCertificateArn`: both or neither. */
export const consoleDomainOf = ({
  consoleDomain,
  consoleCertificateArn,
}: DeploymentOptions): OwnDomain | undefined =>
  // CloudFront takes certificates of this region.
  domainOf('console', consoleDomain, {
    certificateArn: consoleCertificateArn,
    region: 'us-east-1',
  });

/** From the options `apiDomain` and `apiCertificateArn`: both or neither. */
export const apiDomainOf = ({
  apiDomain,
  apiCertificateArn,
}: DeploymentOptions): OwnDomain | undefined =>
  domainOf('api', apiDomain, { certificateArn: apiCertificateArn });

const domainOf = (
  part: 'console' | 'api',
  name: unknown,
  { certificateArn, region }: { certificateArn: unknown; region?: string },
): OwnDomain | undefined => {
  if (name === undefined && certificateArn === undefined) return undefined;
  if (!DOMAIN_NAME.test(String(name))) {
    throw new Error(`${part}Domain must be a name in lower case, such as ${part}.example.com.`);
  }
  const [, itsRegion] = CERTIFICATE.exec(String(certificateArn)) ?? [];
  if (itsRegion === undefined || itsRegion !== (region ?? itsRegion)) {
    const place = region ?? "the stage's region";
    throw new Error(`${part}CertificateArn must be the ARN of a certificate of ACM in ${place}.`);
  }
  return { name: String(name), certificateArn: String(certificateArn) };
};

const VAULT = /^arn:aws[\w-]*:backup:[a-z\d-]+:\d{12}:backup-vault:[\w-]{2,50}$/;

/** From the options `backups` and `backupCopyVaultArn`. Stage `prod` always has backups. */
export const backupsOf = (
  stage: StageName,
  byDefault: boolean,
  { backups, backupCopyVaultArn: copy }: DeploymentOptions,
): { backups: boolean; backupCopyVaultArn?: string } => {
  const areWanted = backups === undefined ? byDefault : flagOf('backups', backups);
  if (!areWanted && stage === 'prod') throw new Error('Stage "prod" has backups.');
  if (copy === undefined) return { backups: areWanted };
  if (!areWanted) throw new Error('backupCopyVaultArn needs backups=true.');
  if (!VAULT.test(String(copy))) {
    throw new Error('backupCopyVaultArn must be the ARN of a vault of AWS Backup.');
  }
  return { backups: areWanted, backupCopyVaultArn: String(copy) };
};

const KEY = /^arn:aws[\w-]*:kms:[a-z\d-]+:\d{12}:key\/(?:mrk-)?[\da-f-]+$/;

export const secretsKeyOf = (stage: StageName, arn: unknown): string => {
  if (stage === 'local') throw new Error('Stage "local" makes its own key.');
  if (!KEY.test(String(arn))) throw new Error('secretsKeyArn must be the ARN of a key of KMS.');
  return String(arn);
};

/** Who hears of alarms, and of costs above the budget. */
export interface Notifications {
  /** Subscribed to the stage's own topic. */
  readonly emails: readonly string[];
  /** A topic of the operator instead of the stage's own. */
  readonly topicArn?: string;
  /** In US dollars. */
  readonly monthlyBudget?: number;
}

const EMAIL = /^[^\s@,]+@[^\s@,]+\.[^\s@,]+$/;
const TOPIC = /^arn:aws[\w-]*:sns:[\w-]+:\d{12}:[\w-]+$/;

export const notificationsOf = ({
  alarmEmail,
  alarmTopicArn,
  monthlyBudget,
}: DeploymentOptions): Notifications => {
  if (alarmEmail !== undefined && alarmTopicArn !== undefined) {
    throw new Error(
      'alarmEmail subscribes to the topic of the stage, alarmTopicArn replaces it: choose one.',
    );
  }
  const emails = alarmEmail === undefined ? [] : String(alarmEmail).split(/,\s*/);
  if (!emails.every((email) => EMAIL.test(email))) {
    throw new Error('alarmEmail must be e-mail addresses, separated by commas.');
  }
  if (alarmTopicArn !== undefined && !TOPIC.test(String(alarmTopicArn))) {
    throw new Error('alarmTopicArn must be the ARN of a topic of SNS.');
  }
  if (monthlyBudget !== undefined && !/^[1-9]\d{0,8}$/.test(String(monthlyBudget))) {
    throw new Error('monthlyBudget must be a positive whole number of US dollars.');
  }
  return {
    emails,
    ...(alarmTopicArn !== undefined && { topicArn: String(alarmTopicArn) }),
    ...(monthlyBudget !== undefined && { monthlyBudget: Number(monthlyBudget) }),
  };
};
