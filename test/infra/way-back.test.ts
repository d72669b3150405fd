import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../lib/app.ts';
import { optionsSchema } from '../../lib/deployment-options.ts';
import { settingsFor } from '../../lib/stages.ts';
import { StateStack } from '../../lib/state-stack.ts';
import {
  allStackReferences,
  DEPLOYMENTS,
  type StackReferences,
} from '../support/formats/stack-references.ts';
import stacks100 from '../support/formats/stacks-1.0.0.json' with { type: 'json' };

/** How the stacks of each release refer to each other. Files are never changed. */
const RELEASED: readonly (readonly [string, Readonly<Record<string, StackReferences>>])[] = [
  ['1.0.0', stacks100],
];

const today = allStackReferences();

/** What CloudFormation refuses: the service stack needs an export that the state stack has not. */
const missing = (service: StackReferences | undefined, state: StackReferences | undefined) =>
  service?.imports.filter((name) => !state?.exports.includes(name));

describe.each(RELEASED)('The service stack of %s', (_version, released) => {
  it.each(Object.keys(released))('goes on, and comes back, beside the state stack: %s', (name) => {
    expect(released[name]?.imports.length).toBeGreaterThan(15);
    expect(missing(released[name], today[name])).toEqual([]);
  });

  it.each(Object.keys(released))('finds what a later version may begin to use: %s', (name) => {
    const { exports = [] } = today[name] ?? {};

    expect(released[name]?.exports.filter((each) => !exports.includes(each))).toEqual([]);
  });
});

interface StateTemplate {
  readonly Resources: Readonly<
    Record<string, { Type: string; Properties: { StreamSpecification?: object } }>
  >;
  readonly Outputs: Readonly<Record<string, { Value: object; Export?: { Name: string } }>>;
}

describe('The state stack without a service stack', () => {
  const settings = settingsFor('prod');
  if (!settings) throw new Error('There is no stage prod.');
  const app = createApp();
  const { stackName } = new StateStack(app, 'integrations-prod-state', {
    settings,
    hasUserPool: true,
  });
  const template: StateTemplate = app.synth().getStackByName(stackName).template;
  const exported = Object.values(template.Outputs).filter(({ Export }) => Export !== undefined);

  it('exports the same as with one', () => {
    const names = exported.flatMap(({ Export }) => Export?.Name ?? []);

    expect(names.toSorted()).toEqual(today.prod?.exports);
  });

  it('exports name and ARN of each table, and the ARN of its stream', () => {
    const tables = Object.entries(template.Resources).filter(
      ([, { Type }]) => Type === 'AWS::DynamoDB::Table',
    );
    const wanted = tables.flatMap(([id, { Properties }]) => [
      { Ref: id },
      { 'Fn::GetAtt': [id, 'Arn'] },
      ...(Properties.StreamSpecification ? [{ 'Fn::GetAtt': [id, 'StreamArn'] }] : []),
    ]);

    expect(tables.length).toBeGreaterThan(5);
    expect(exported.map(({ Value }) => Value)).toEqual(expect.arrayContaining(wanted));
  });
});

/** What the state stack has no longer with these: their pages deploy the service stack first. */
const IN_AN_ORDER = {
  'prod without a console': ['deploy.md', '## Without a web console'],
  'prod without a user pool': ['deploy.md', '## Without a user pool'],
  'prod with a given key': ['on-call.md', '**The key was deleted.**'],
} as const;

/** The first command after a text of a page that deploys. */
const firstDeployment = (page: string, at: string): string => {
  const [, after = ''] = readFileSync(`docs/operators/${page}`, 'utf8').split(`${at}`);
  return /npx cdk deploy .*/.exec(after)?.[0] ?? '';
};

describe('A roll back', () => {
  it('deploys the service stack of the older commit alone, at once', () => {
    const command = firstDeployment('upgrade.md', '## Roll back');
    const workflow = readFileSync('.github/workflows/roll-back.yml', 'utf8');

    expect(command).toBe(
      'npx cdk deploy integrations-prod-service --exclusively -c stage=prod -c release=at-once',
    );
    expect(workflow.match(/cdk deploy.*/g)).toEqual([
      expect.stringMatching(/ integrations-prod-service --exclusively .*-c release=at-once/),
    ]);
  });
});

describe('An option', () => {
  const alike = Object.keys(DEPLOYMENTS).filter(
    (name) => name.startsWith('prod') && !(name in IN_AN_ORDER),
  );

  it.each(alike)('can be set and removed in any order of the stacks: %s', (name) => {
    expect(missing(today[name], today.prod)).toEqual([]);
    expect(missing(today.prod, today[name])).toEqual([]);
  });

  it.each(Object.entries(IN_AN_ORDER))('needs the service stack first: %s', (name, [page, at]) => {
    expect(missing(today[name], today.prod)).toEqual([]);
    expect(missing(today.prod, today[name])).not.toEqual([]);
    expect(firstDeployment(page, at)).toMatch(
      /^npx cdk deploy integrations-\S+-service --exclusively /,
    );
  });

  it('of a deployed stage is in one of these deployments', () => {
    const ofLocal = ['consoleOrigin', 'hourSeconds', 'signInClientId', 'signInIssuer'];
    const elsewhere = [
      ...ofLocal,
      'signInJwksUri',
      'account',
      'region',
      'webAcl',
      'alarms',
      'tags',
      'qualifier',
      ...['consoleColour', 'consoleLogo', 'consoleName', 'platformUrl'],
    ];
    const overrides = JSON.stringify(DEPLOYMENTS);
    const named: Record<string, string> = {
      alarmEmail: 'emails',
      alarmTopicArn: 'emails',
      apiCertificateArn: 'apiDomain',
      backups: 'backupCopyVaultArn',
      otherAlarmEmail: 'other',
      otherAlarmTopicArn: 'other',
      console: 'hasConsole',
      consoleCertificateArn: 'consoleDomain',
      userPool: 'hasUserPool',
    };

    expect(
      Object.keys(optionsSchema.shape).filter(
        (name) => !elsewhere.includes(name) && !overrides.includes(`"${named[name] ?? name}"`),
      ),
    ).toEqual([]);
  });
});
