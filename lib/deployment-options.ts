import * as z from 'zod';
import { ATTEMPT_LINES } from '../lambdas/runtime/environment.ts';
import { isReadableOnWhite } from './colour-contrast.ts';
import { RELEASES, type SignIn, type StageName } from './stage-settings.ts';

/** `-c` gives texts; deployments.json may have numbers, true and false, too. */
const asText = (value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;

const text = (pattern: RegExp, fault: string) =>
  z.preprocess(asText, z.string(fault).regex(pattern, fault));

const whole = (pattern: RegExp, fault: string) => text(pattern, fault).transform(Number);

const oneOf = <const Values extends readonly string[]>(values: Values) =>
  z.preprocess(asText, z.enum(values, `must be ${values.join(' or ')}`));

const flag = oneOf(['true', 'false']).transform((value) => value === 'true');

const arn = (service: string, resource: string, fault: string, region = '[a-z0-9-]+') =>
  text(new RegExp(`^arn:aws[\\w-]*:${service}:${region}:\\d{12}:${resource}$`), fault);

const domain = (example: string) =>
  text(
    /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/,
    `must be a name in lower case, such as ${example}`,
  );

const certificate = (place: string, region?: string) =>
  arn('acm', 'certificate/[\\w-]+', `must be the ARN of a certificate of ACM in ${place}`, region);

const someText = z.string('must be a text').min(1, 'must be a text');

const listOf = (item: string, fault: string) =>
  text(new RegExp(`^${item}(?:,\\s*${item})*$`), fault);

/** AWS would refuse a longer list in the middle of a deployment. */
const atMost = (characters: number, list: ReturnType<typeof listOf>) =>
  list.refine((text) => text.length <= characters, `must have at most ${characters} characters`);

const MOST_TAGS = 48;

/** Of 8,192 bytes of the policy of the API, or of the events queue. */
const MOST_IN_POLICY = 6_000;
const MOST_PRODUCERS = 50;

/** Of the 1,783 bytes of a content security policy that CloudFront takes. */
const MOST_EMBEDDING = 1_000;

/** Anyone may have accounts and roles: a `*` is refused, also as a part of an ARN. */
const identity = (types: string) => `arn:aws[\\w-]*:iam::\\d{12}:${types}(?:/[\\w+=.@-]+)+`;

const PRODUCER = `(?:\\d{12}|${identity('(?:role|user)')})`;

/** Keys that begin with `aws:` are of AWS. */
const TAG = '(?!aws:)[\\w .:/+@-]{1,128}=[\\w .:/=+@-]{0,256}';

/** As browsers write it: in lower case, and without a path. */
const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text;

const SECURE_ORIGIN = 'https://[a-z0-9.-]+(?::\\d+)?';

const address = text(
  /^https:\/\/[^\s#]+$/,
  'must be an address that begins with https://, without #',
).refine((given) => URL.canParse(given), 'must be an address that begins with https://');

const EMBEDDING =
  'must be origins such as https://app.example.com, separated by commas, without path and *';

const EMAIL = '[^\\s@,]+@[^\\s@,]+\\.[^\\s@,]+';

const TOPIC = arn('sns', '[\\w-]+', 'must be the ARN of a topic of SNS');

/** The options that are settings of the stage, by the names of these. */
const settings = z
  .object({
    alarms: flag,
    attemptLines: oneOf(ATTEMPT_LINES),
    backupCopyVaultArn: arn(
      'backup',
      'backup-vault:[\\w-]{2,50}',
      'must be the ARN of a vault of AWS Backup',
    ),
    backups: flag,
    canary: flag,
    consoleLinkRoles: atMost(
      MOST_IN_POLICY,
      listOf(identity('role'), 'must be ARNs of roles, separated by commas, without *'),
    ),
    dashboard: flag,
    // Of SES: at most 320 characters, all of ASCII, and a domain in lower case.
    mailFrom: text(
      /^(?=.{1,320}$)[\w.+-]{1,64}@(?:[a-z0-9-]{1,63}\.)*[a-z0-9-]{1,63}$/,
      'must be an e-mail address, such as webhooks@example.com',
    ),
    platformUrl: address,
    producers: atMost(
      MOST_IN_POLICY,
      listOf(
        PRODUCER,
        'must be AWS accounts or ARNs of roles or users, separated by commas, without *',
      ),
    ).refine(
      (list) => list.split(',').length <= MOST_PRODUCERS,
      `must be at most ${MOST_PRODUCERS}: SQS takes no more`,
    ),
    provisioned: whole(/^[1-9]\d{0,4}$/, 'must be a whole number of events a second, 1 to 99999'),
    release: oneOf(RELEASES),
    runbookUrl: address,
    secretsKeyArn: arn('kms', 'key/(?:mrk-)?[\\da-f-]+', 'must be the ARN of a key of KMS'),
    sendTraceparent: flag,
    tracing: flag,
    webAcl: flag,
  })
  .partial();

/** The options of a stage, see docs/operators/deploy.md. A parsed option can be parsed again. */
export const optionsSchema = z
  .strictObject({
    ...settings.shape,
    account: text(/^\d{12}$/, 'must be the 12 digits of an AWS account, as text'),
    alarmEmail: listOf(EMAIL, 'must be e-mail addresses, separated by commas'),
    alarmTopicArn: TOPIC,
    apiCertificateArn: certificate("the stage's region"),
    apiDomain: domain('api.example.com'),
    batchingWindow: whole(/^(?:\d|10)$/, 'must be a whole number of seconds, 0 to 10'),
    // Each of five event sources takes two at least.
    concurrency: whole(/^[1-9]\d{1,4}$/, 'must be a whole number of executions, 10 to 99999'),
    console: flag,
    // CloudFront takes certificates of this region.
    consoleCertificateArn: certificate('us-east-1', 'us-east-1'),
    consoleColour: text(/^#[\da-f]{6}$/i, 'must be a colour, such as #4353c4').refine(
      isReadableOnWhite,
      'must have a contrast of 4.5 or more to white (WCAG AA): choose a darker colour',
    ),
    consoleDomain: domain('console.example.com'),
    consoleLogo: text(/\.svg$/, 'must be the path of an SVG file'),
    consoleName: text(
      /^(?!\s)[^\p{C}\p{Zl}\p{Zp}]{1,40}(?<!\s)$/u,
      'must be a name of at most 40 characters',
    ),
    embedIn: atMost(MOST_EMBEDDING, listOf(SECURE_ORIGIN, EMBEDDING)).refine(
      (origins) => origins.split(/,\s*/).every(isOrigin),
      EMBEDDING,
    ),
    monthlyBudget: whole(/^[1-9]\d{0,8}$/, 'must be a positive whole number of US dollars'),
    otherAlarmEmail: listOf(EMAIL, 'must be e-mail addresses, separated by commas'),
    otherAlarmTopicArn: TOPIC,
    // Of `cdk bootstrap --qualifier`.
    qualifier: text(/^[a-z0-9]{1,10}$/, 'must be 1 to 10 of a-z and 0-9'),
    region: text(/^[a-z]{2,}(?:-[a-z]+)+-\d+$/, 'must be a region of AWS, such as eu-west-1'),
    tags: listOf(TAG, 'must be <key>=<value>, separated by commas; no key begins with aws:').refine(
      (list) => list.split(',').length <= MOST_TAGS,
      `must be at most ${MOST_TAGS}: AWS takes 50 with those of the stage`,
    ),
    userPool: flag,
    // Of stage `local`. An origin is as browsers write it.
    consoleOrigin: z
      .string('must be an origin, such as http://localhost:4080')
      .refine(isOrigin, { error: 'must be an origin, such as http://localhost:4080' }),
    hourSeconds: whole(/^[1-9]\d{0,8}$/, 'must be a positive whole number'),
    signInClientId: someText,
    signInIssuer: someText,
    signInJwksUri: someText,
  })
  .partial();

export type DeploymentOptions = z.output<typeof optionsSchema>;

/** Options as `-c` or a caller gives them. */
export type GivenOptions = { readonly [Name in keyof DeploymentOptions]?: unknown };

/** The options of a stage in its file; those in the context of the app, which `-c` sets, go first. */
export const optionsIn = (
  contextOf: (name: string) => unknown,
  ofFile: DeploymentOptions = {},
): GivenOptions => ({
  ...ofFile,
  ...Object.fromEntries(
    Object.keys(optionsSchema.shape).flatMap((name) => {
      const value = contextOf(name);
      return value === undefined ? [] : [[name, value]];
    }),
  ),
});

/** Throws for a name in the context of the app that is no option. Names of the CDK have colons. */
export const refuseUnknown = (names: readonly string[]): void => {
  const unknown = names.find(
    (name) => /^\w+$/.test(name) && name !== 'stage' && !(name in optionsSchema.shape),
  );
  if (unknown !== undefined) throw new Error(`there is no option ${unknown}.`);
};

type Rule = readonly [isBroken: (options: DeploymentOptions) => unknown, fault: string];

const OF_CONSOLE = [
  'consoleColour',
  'consoleDomain',
  'consoleLinkRoles',
  'consoleLogo',
  'consoleName',
  'embedIn',
  'platformUrl',
  'userPool',
] as const;

/** What does not go together. */
const rulesOf = (stage: StageName): readonly Rule[] => [
  ...(stage === 'local' ? LOCAL : DEPLOYED(stage)),
  ...(stage === 'prod' ? PROD : []),
  [
    ({ concurrency }) => concurrency && stage !== 'prod',
    `Stage "${stage}" takes the fewest executions that there are: leave concurrency out`,
  ],
  [
    ({ tags = '' }) => Object.keys(tagsIn(tags)).some((key) => /^(?:service|stage)$/.test(key)),
    'The tags service and stage are those of the stage: the budget counts by them',
  ],
  [({ release }) => release && stage !== 'prod', `Stage "${stage}" has no versions to release`],
  [
    ({ alarms, dashboard }) => alarms === false && dashboard,
    'A dashboard draws the alarms: choose both, or neither',
  ],
  [
    ({ backups = stage === 'prod', backupCopyVaultArn }) => backupCopyVaultArn && !backups,
    'backupCopyVaultArn needs backups=true',
  ],
  [
    ({ alarmEmail, alarmTopicArn }) => alarmEmail && alarmTopicArn,
    'alarmEmail subscribes to the topic of the stage, alarmTopicArn replaces it: choose one',
  ],
  [
    ({ otherAlarmEmail, otherAlarmTopicArn }) => otherAlarmEmail && otherAlarmTopicArn,
    'otherAlarmEmail subscribes to a topic of the stage, otherAlarmTopicArn replaces it: choose one',
  ],
  ...OF_CONSOLE.map(
    (name): Rule => [
      (options) => options.console === false && options[name] !== undefined,
      `A stage without a web console has no ${name}: leave one of them out`,
    ],
  ),
  [
    ({ userPool, embedIn, consoleLinkRoles }) =>
      (userPool === false || embedIn) && !consoleLinkRoles,
    'userPool=false and embedIn need consoleLinkRoles: links alone open such a console',
  ],
  [
    ({ platformUrl, consoleLinkRoles }) => platformUrl && !consoleLinkRoles,
    'platformUrl needs consoleLinkRoles: the page there creates links',
  ],
  [
    ({ consoleDomain, consoleCertificateArn }) => !consoleDomain !== !consoleCertificateArn,
    'consoleDomain and consoleCertificateArn must be given together',
  ],
  [
    ({ apiDomain, apiCertificateArn }) => !apiDomain !== !apiCertificateArn,
    'apiDomain and apiCertificateArn must be given together',
  ],
];

const signInsOf = ({ signInIssuer, signInClientId, signInJwksUri }: DeploymentOptions) =>
  [signInIssuer, signInClientId, signInJwksUri].filter((given) => given !== undefined);

const LOCAL: readonly Rule[] = [
  [({ secretsKeyArn }) => secretsKeyArn, 'Stage "local" makes its own key'],
  [
    ({ consoleLinkRoles, consoleOrigin }) => consoleLinkRoles && !consoleOrigin,
    'consoleLinkRoles needs consoleOrigin',
  ],
  [
    (options) => signInsOf(options).length % 3 > 0,
    'A sign-in needs signInIssuer, signInClientId and signInJwksUri',
  ],
];

const DEPLOYED = (stage: StageName): readonly Rule[] => [
  [({ hourSeconds }) => hourSeconds, `An hour of stage "${stage}" cannot be shortened`],
  [({ consoleOrigin }) => consoleOrigin, `Stage "${stage}" has a web console of its own`],
  [(options) => signInsOf(options).length, `People sign in to stage "${stage}" at its user pool`],
];

const PROD: readonly Rule[] = [
  [
    ({ webAcl }) => webAcl === false,
    'Stage "prod" has a web ACL: without it one caller takes the API from all',
  ],
  [
    ({ alarms }) => alarms === false,
    'Stage "prod" has alarms: without them a bad release is not rolled back',
  ],
  [({ backups }) => backups === false, 'Stage "prod" has backups'],
];

/** What is wrong, with the names of the options. */
export const faultsOf = ({ issues }: z.ZodError): string =>
  issues.map(({ path, message }) => [...path, message].join(' ')).join('; ');

/** Throws if an option has a value that it cannot have, is not for this stage, or for another. */
export const optionsOf = (stage: StageName, given: GivenOptions): DeploymentOptions => {
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  const { data, error } = optionsSchema.safeParse(Object.fromEntries(set));
  if (error) throw new Error(`${faultsOf(error)}.`);
  const [, fault] = rulesOf(stage).find(([isBroken]) => isBroken(data)) ?? [];
  if (fault !== undefined) throw new Error(`${fault}.`);
  return data;
};

/** The settings of the stage that the options replace. */
export const settingsIn = (options: DeploymentOptions) => {
  const { consoleOrigin, batchingWindow } = options;
  const { signInIssuer, signInClientId, signInJwksUri } = options;
  const signIn: SignIn | undefined =
    signInIssuer && signInClientId && signInJwksUri
      ? { issuer: signInIssuer, clientId: signInClientId, jwksUri: signInJwksUri }
      : undefined;
  return {
    ...settings.parse(options),
    ...(consoleOrigin !== undefined && { corsOrigin: consoleOrigin }),
    ...(batchingWindow !== undefined && { batchingWindowSeconds: batchingWindow }),
    ...(signIn && { signIn }),
  };
};

/** A domain for the web console or the API, instead of the one that AWS gives. */
export interface OwnDomain {
  readonly name: string;
  /** Of a certificate of ACM for the name. */
  readonly certificateArn: string;
}

const domainOf = (name?: string, certificateArn?: string): OwnDomain | undefined =>
  name && certificateArn ? { name, certificateArn } : undefined;

const tagsIn = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text.split(/,\s*/).flatMap((tag) => {
      const [, key, value = ''] = /^([^=]+)=(.*)$/.exec(tag) ?? [];
      return key === undefined ? [] : [[key, value]];
    }),
  );

/** Who is notified of alarms. */
export interface Subscribers {
  /** Subscribed to the stage's own topic. */
  readonly emails: readonly string[];
  /** A topic of the operator instead of the stage's own. */
  readonly topicArn?: string | undefined;
}

/** The subscribers are those of urgent alarms. */
export interface Notifications extends Subscribers {
  /** Of all other alarms, and of costs above the budget; by default the same. */
  readonly other?: Subscribers | undefined;
  /** In US dollars. */
  readonly monthlyBudget?: number | undefined;
}

const subscribersOf = (emails?: string, topicArn?: string): Subscribers => ({
  emails: emails?.split(/,\s*/) ?? [],
  topicArn,
});

/** What is deployed beside the settings of the stage. */
export const deploymentIn = (stage: StageName, options: DeploymentOptions) => ({
  /** The program that runs stage `local` has a web console. */
  hasConsole: stage !== 'local' && options.console !== false,
  consoleDomain: domainOf(options.consoleDomain, options.consoleCertificateArn),
  hasUserPool: options.userPool !== false,
  embedIn: options.embedIn?.split(/,\s*/) ?? [],
  apiDomain: domainOf(options.apiDomain, options.apiCertificateArn),
  tags: tagsIn(options.tags ?? ''),
  qualifier: options.qualifier,
  notifications: {
    ...subscribersOf(options.alarmEmail, options.alarmTopicArn),
    other:
      options.otherAlarmEmail || options.otherAlarmTopicArn
        ? subscribersOf(options.otherAlarmEmail, options.otherAlarmTopicArn)
        : undefined,
    monthlyBudget: options.monthlyBudget,
  } satisfies Notifications,
});
