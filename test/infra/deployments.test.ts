import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brandOf } from '../../lib/console-brand.ts';
import {
  deploymentIn,
  type GivenOptions,
  optionsIn,
  optionsOf,
  optionsSchema,
  refuseUnknown,
} from '../../lib/deployment-options.ts';
import { deploymentOf, environmentOf } from '../../lib/deployments-file.ts';
import type { StageName } from '../../lib/stage-settings.ts';
import { settingsFor } from '../../lib/stages.ts';
import { MESSAGING } from '../../packages/console/serving/brand.ts';
import { contentSecurityPolicy } from '../../packages/console/serving/response-headers.ts';
import { SynthesisedStage } from './template.ts';

const hasConsole = (stage: StageName, given: GivenOptions) =>
  deploymentIn(stage, optionsOf(stage, given)).hasConsole;
const notificationsOf = (given: GivenOptions) =>
  deploymentIn('dev', optionsOf('dev', given)).notifications;

const PINNED = { account: '111122223333', region: 'eu-west-1' };

describe('The file of deployments', () => {
  let folder: string;
  const path = () => join(folder, 'deployments.json');

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'deployments-'));
  });

  afterAll(() => rm(folder, { recursive: true }));

  it('is shipped without an account', () => {
    expect(deploymentOf('deployments.json', 'dev')).toEqual({});
    expect(deploymentOf('deployments.json', 'prod')).toEqual({});
  });

  it('has the options of each stage, which -c replaces one by one', async () => {
    await writeFile(path(), JSON.stringify({ prod: { ...PINNED, tracing: true } }));
    const options = deploymentOf(path(), 'prod');
    const given: Record<string, unknown> = { tracing: 'false' };

    expect(optionsIn((name) => given[name], options)).toMatchObject({
      ...PINNED,
      tracing: 'false',
    });
    expect(settingsFor('prod', options)).toMatchObject({ tracing: true });
    expect(deploymentOf(path(), 'dev')).toEqual({});
    expect(deploymentOf(path(), 'local')).toEqual({});
  });

  it.each([
    ['{ "prod": { "tracin": true } }', 'prod Unrecognized key: "tracin"'],
    ['{ "prd": {} }', 'Unrecognized key: "prd"'],
    ['{ "dev": { "region": ["eu-west-1"] } }', 'dev region must be a region of AWS'],
    ['{ "dev": { "canary": 1 } }', 'dev canary must be true or false.'],
    ['{ "dev": {}, }', 'cannot be read'],
  ])('is refused with the stage and the member that are wrong: %s', async (text, fault) => {
    await writeFile(path(), text);

    expect(() => deploymentOf(path(), 'prod')).toThrow(fault);
  });

  it('is refused when it is missing', () => {
    expect(() => deploymentOf(join(folder, 'none.json'), 'dev')).toThrow('cannot be read');
  });
});

describe('A list of a deployment', () => {
  const many = (count: number, item: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => item(index)).join(',');
  const account = (index: number) => `${111_122_223_333 + index}`;
  const role = (index: number) => `arn:aws:iam::111122223333:role/team/platform-${index}`;
  const consoleLinkRoles = role(0);

  it.each<[GivenOptions, GivenOptions, fault: string]>([
    [
      { tags: many(48, (key) => `k${key}=v`) },
      { tags: many(49, (key) => `k${key}=v`) },
      'tags must be at most 48',
    ],
    [
      { producers: many(50, account) },
      { producers: many(51, account) },
      'producers must be at most 50',
    ],
    [
      { consoleLinkRoles: many(100, role) },
      { consoleLinkRoles: many(200, role) },
      'consoleLinkRoles must have at most 6000 characters',
    ],
    [
      { consoleLinkRoles, embedIn: many(25, (name) => `https://customer-${name}.example.com`) },
      { consoleLinkRoles, embedIn: many(35, (name) => `https://customer-${name}.example.com`) },
      'embedIn must have at most 1000 characters',
    ],
  ])('is refused before AWS would refuse it: %#', (taken, refused, fault) => {
    expect(() => optionsOf('dev', taken)).not.toThrow();
    expect(() => optionsOf('dev', refused)).toThrow(fault);
  });

  it('of embedding origins fits into the header that CloudFront takes', () => {
    const name = `${'a'.repeat(63)}.`.repeat(3).padEnd(253, 'a');
    const policy = contentSecurityPolicy({
      api: `https://${name}`,
      signIn: [
        'https://cognito-idp.ap-southeast-2.amazonaws.com/ap-southeast-2_0123456789/',
        `https://${'a'.repeat(63)}.auth.ap-southeast-2.amazoncognito.com`,
      ],
      embedIn: ['a'.repeat(1_000)],
    });

    expect(policy.length).toBeLessThanOrEqual(1_783);
  });
});

const CREDENTIALS = { account: '444455556666', region: 'mx-central-1' };

it('A misspelt option is refused by its name', () => {
  expect(() =>
    refuseUnknown(['stage', 'alarmEmail', '@aws-cdk/core:x', 'aws:cdk:y']),
  ).not.toThrow();
  expect(() => refuseUnknown(['stage', 'alarmEmial'])).toThrow('there is no option alarmEmial.');
});

describe('The account and region of a deployment', () => {
  it('may be a region that lacks an option, without the option', () => {
    const options = optionsOf('dev', { region: 'cn-north-1', console: 'false' });
    expect(environmentOf('dev', options, CREDENTIALS)).toEqual({ region: 'cn-north-1' });
  });

  it('are those of the credentials, unless the stage has its own', () => {
    expect(environmentOf('dev', {}, CREDENTIALS)).toEqual({});
    expect(environmentOf('dev', PINNED, { account: PINNED.account })).toEqual(PINNED);
    const numeric = optionsOf('prod', { ...PINNED, account: 111122223333 });
    expect(environmentOf('prod', numeric, {})).toEqual(PINNED);
  });

  it.each([
    ['prod', {}, 'write "account" and "region" of "prod" in deployments.json'],
    ['prod', { account: PINNED.account }, 'needs its AWS account and region'],
    ['prod', { region: PINNED.region }, 'needs its AWS account and region'],
    ['dev', { account: 1_234 }, 'account must be the 12 digits'],
    ['dev', { region: 'Ireland' }, 'region must be a region of AWS'],
    ['dev', PINNED, 'belongs to AWS account 111122223333, but the credentials are of 444455556666'],
    [
      'dev',
      { region: 'us-gov-west-1' },
      'us-gov-west-1 lacks CloudFront or Cognito, which the web',
    ],
    [
      'dev',
      { region: 'eu-north-1', monthlyBudget: 9 },
      'eu-north-1 lacks AWS Budgets, which monthly',
    ],
    [
      'dev',
      { region: 'eu-south-2', mailFrom: 'a@example.com' },
      'eu-south-2 lacks what mailFrom needs',
    ],
    ['dev', { mailFrom: 'a@example.com' }, 'mx-central-1 lacks what mailFrom needs of SES'],
  ] as const)('are refused for %s: %o', (stage, options, fault) => {
    expect(() => environmentOf(stage, optionsOf(stage, options), CREDENTIALS)).toThrow(fault);
  });
});

const TOPIC = 'arn:aws:sns:eu-west-1:111122223333:on-call';

describe('The notifications of a deployment', () => {
  it('go to each address, or to a topic', () => {
    expect(notificationsOf({})).toEqual({ emails: [] });
    expect(
      notificationsOf({ alarmEmail: 'a@example.com, b@example.com', monthlyBudget: '200' }),
    ).toEqual({ emails: ['a@example.com', 'b@example.com'], monthlyBudget: 200 });
    expect(notificationsOf({ alarmTopicArn: TOPIC })).toEqual({ emails: [], topicArn: TOPIC });
    expect(notificationsOf({ otherAlarmEmail: 'a@example.com' }).other).toEqual({
      emails: ['a@example.com'],
    });
    expect(notificationsOf({ otherAlarmTopicArn: TOPIC }).other).toEqual({
      emails: [],
      topicArn: TOPIC,
    });
  });

  it.each([
    [{ alarmEmail: 'on-call' }, 'alarmEmail must be e-mail addresses'],
    [{ alarmEmail: 'a@example.com,' }, 'alarmEmail must be e-mail addresses'],
    [{ alarmTopicArn: 'on-call' }, 'alarmTopicArn must be the ARN of a topic'],
    [{ alarmEmail: 'a@example.com', alarmTopicArn: TOPIC }, 'choose one'],
    [{ otherAlarmEmail: 'a@example.com', otherAlarmTopicArn: TOPIC }, 'choose one'],
    ...['0', '-5', '19.99', '$200', true].map(
      (monthlyBudget) =>
        [{ monthlyBudget }, 'monthlyBudget must be a positive whole number'] as const,
    ),
  ] as const)('are refused: %o', (options, fault) => {
    expect(() => notificationsOf(options)).toThrow(fault);
  });
});

describe('The web console of a deployment', () => {
  it('is there in each deployed stage that does not refuse it', () => {
    expect(hasConsole('prod', {})).toBe(true);
    expect(hasConsole('prod', { console: 'false' })).toBe(false);
    expect(hasConsole('dev', { console: false })).toBe(false);
    expect(hasConsole('local', {})).toBe(false);
  });

  const consoleLinkRoles = 'arn:aws:iam::444455556666:role/platform';

  it.each<GivenOptions>([{ userPool: 'false' }, { embedIn: 'https://app.example.com' }])(
    'is opened by someone: %o',
    (options) => {
      expect(() => hasConsole('dev', options)).toThrow('need consoleLinkRoles: links alone');
    },
  );

  it('has a user pool unless that is refused', () => {
    const hasUserPool = (given: GivenOptions) =>
      deploymentIn('prod', optionsOf('prod', given)).hasUserPool;

    expect(hasUserPool({})).toBe(true);
    expect(hasUserPool({ userPool: 'false', consoleLinkRoles })).toBe(false);
  });

  it('is embedded in the origins of embedIn, by default in none', () => {
    const embedIn = (given: GivenOptions) => deploymentIn('dev', optionsOf('dev', given)).embedIn;

    const origins = ['https://a.example.com', 'https://b.example.com:8443'];

    expect(embedIn({ embedIn: origins.join(', '), consoleLinkRoles })).toEqual(origins);
    expect(embedIn({})).toEqual([]);
  });

  it.each([
    ['consoleDomain', 'console.example.com'],
    ['embedIn', 'https://app.example.com'],
    ['consoleColour', '#123456'],
    ['userPool', 'false'],
  ])('has the option only if it is there: %s', (name, value) => {
    expect(() => hasConsole('dev', { console: 'false', [name]: value })).toThrow(`has no ${name}`);
    expect(() => hasConsole('dev', { console: 'no' })).toThrow('console must be true or false.');
  });
});

describe('The brand of a console', () => {
  const brandIn = (given: GivenOptions) => brandOf(optionsOf('dev', given));
  const SVG = '<?xml version="1.0"?>\n<!-- A logo -->\n<svg xmlns="http://www.w3.org/2000/svg"/>';

  it('is that of the options, and by default the platform’s', async () => {
    const consoleLogo = join(await mkdtemp(join(tmpdir(), 'brand-')), 'logo.svg');
    await writeFile(consoleLogo, SVG);

    expect(brandIn({})).toEqual(MESSAGING);
    // The least contrast that is readable is that of #767676.
    expect(brandIn({ consoleName: 'Bell & Sons', consoleColour: '#767676', consoleLogo })).toEqual({
      ...{ name: 'Bell & Sons', colour: '#767676' },
      logo: SVG,
    });
    await rm(dirname(consoleLogo), { recursive: true });
  });

  it.each([
    ['<html><svg></svg></html>', 'is no SVG'],
    [`<svg>${' '.repeat(32 * 1_024)}</svg>`, 'exceeds 32 KB'],
  ])('has no logo that is something else: %.30s', async (text, fault) => {
    const consoleLogo = join(await mkdtemp(join(tmpdir(), 'brand-')), 'logo.svg');
    await writeFile(consoleLogo, text);

    expect(() => brandIn({ consoleLogo })).toThrow(fault);
    await rm(dirname(consoleLogo), { recursive: true });
    expect(() => brandIn({ consoleLogo })).toThrow('does not exist');
  });
});

describe('A stage without a web console', () => {
  const stage = new SynthesisedStage('prod', { hasConsole: false });

  it('has nothing of CloudFront, Cognito and S3', () => {
    const types = stage.all().map(({ type }) => type);

    expect(types.filter((type) => /CloudFront|Cognito|S3|CDKBucket/.test(type))).toEqual([]);
    expect(stage.addedByTheCdk()).toEqual([]);
  });

  it('knows its callers by access tokens alone, and no page may call its API', () => {
    const variables = Object.keys(stage.variablesOf('AuthorizeRequest'));

    expect(variables).toContain('DIRECTORY_TABLE');
    expect(variables.filter((name) => name.startsWith('SIGN_IN'))).toEqual([]);
    expect(stage.variable('CORS_ORIGIN')).toEqual({});
    const methods = stage.all('AWS::ApiGateway::Method');
    expect(methods.filter(({ properties }) => properties.HttpMethod === 'OPTIONS')).toEqual([]);
  });
});

describe('The page about deployments', () => {
  const page = readFileSync('docs/operators/deploy.md', 'utf8');

  it('has each option of a deployed stage', () => {
    const ofLocal = /^(?:consoleOrigin|hourSeconds|signIn\w+)$/;
    const missing = Object.keys(optionsSchema.shape).filter(
      (name) => !ofLocal.test(name) && !new RegExp(`^\\|.*\`${name}=`, 'm').test(page),
    );

    expect(missing).toEqual([]);
  });

  it.each(['dev', 'prod'] as const)('has the concurrency of %s', (stage) => {
    const { maximumConcurrency, reservesConcurrency } = settingsFor(stage) ?? {};
    const { routing = 0, delivery = 0, slow = 0, replay = 0, retry = 0 } = maximumConcurrency ?? {};
    const queues = [routing, delivery, slow, replay, retry];
    const sum = queues.reduce((total, each) => total + each, 0);
    const [row = ''] = new RegExp(`^\\| \`${stage}\` \\|.*$`, 'm').exec(page) ?? [];
    const [, , consumers = '', reserves = '', total = ''] = row
      .split('|')
      .map((cell) => cell.trim());

    expect(consumers).toContain(stage === 'dev' ? '2 each' : queues.join(', '));
    if (stage === 'dev') expect(new Set(queues)).toEqual(new Set([2]));
    expect(reserves).toBe(reservesConcurrency ? 'yes' : 'no');
    expect(Number(total)).toBe(sum);
  });
});
