import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { deploymentIn, type GivenOptions, optionsOf } from '../../lib/deployment-options.ts';
import type { StageName } from '../../lib/stage-settings.ts';
import { settingsFor } from '../../lib/stages.ts';
import { BUSY_TABLES } from '../../lib/state-stack.ts';
import { blockIn, fencedBlocks, rowsBeginningWith } from '../../tools/docs/markdown.ts';
import { synthesisePipeline } from './pipeline-template.ts';
import { type Properties, SynthesisedStage, synthesise } from './template.ts';

const ACCOUNT = '444455556666';
const ROLE = `arn:aws:iam::${ACCOUNT}:role/teams/platform`;

const SIGN_IN = ['signInIssuer', 'signInClientId', 'signInJwksUri'];

const plain = synthesise('prod');

describe('An option', () => {
  const BAD: Readonly<Record<string, readonly [fault: string, ...values: unknown[]]>> = {
    ...Object.fromEntries(
      ['alarms', 'canary', 'dashboard', 'tracing', 'webAcl'].map((name) => [
        name,
        ['must be true or false.', 'no', '', 0, 'False'],
      ]),
    ),
    ...Object.fromEntries(SIGN_IN.map((name) => [name, ['must be a text.', '', 7]])),
    attemptLines: ['must be all or undelivered.', 'none'],
    batchingWindow: [
      'must be a whole number of seconds, 0 to 10.',
      ...['-1', '11', '1.5', '', 'soon', null],
    ],
    concurrency: ['must be a whole number of executions', '9', '-1', '1.5', 'many', '100000', null],
    consoleColour: [
      'must ',
      ...['red', '#fff', '#4353c4ff', 'rgb(0,0,0)', '', '#777777', '#ffcc00', '#ffffff'],
    ],
    consoleLogo: ['must be the path of an SVG file', '', 'logo.png', 'data:image/svg+xml,<svg/>'],
    consoleName: [
      'must be a name of at most 40 characters',
      '',
      ' ',
      '\u3000',
      'a\nb',
      'x'.repeat(41),
      [],
    ],
    consoleOrigin: [
      'must be an origin',
      ...['*', 'null', 'console.example.com', 'http://localhost:4080/', ''],
    ],
    embedIn: [
      'must be origins such as https://app.example.com, separated by commas, without path and *',
      ...['*', '', 'https://*.example.com', 'https://a.example.com/', 'https://a.example.com/x'],
      ...['http://a.example.com', 'a.example.com', "https://a.example.com 'self'", 'https://A.com'],
      ...['https://a.example.com:65536', 'https://a.example.com:0443', 'https://1.2.3.456'],
      ...['https://a.example.com;', 'https://a.example.com:443', 'https://u@a.example.com', 'null'],
    ],
    consoleLinkRoles: [
      'must be ARNs of roles, separated by commas, without *',
      ...[
        '*',
        '',
        ACCOUNT,
        `${ROLE}*`,
        `${ROLE}/`,
        `${ROLE},*`,
        'arn:aws:iam::*:role/a',
        'arn:aws:iam::*:root',
      ],
      ...[`arn:aws:iam::${ACCOUNT}:user/a`, `arn:aws:iam::${ACCOUNT}:root`, [ROLE]],
    ],
    hourSeconds: ['must be a positive whole number', '0', '-1', '1.5', 'soon', '', null],
    mailFrom: [
      'must be an e-mail address',
      ...['', 'webhooks', 'Webhooks <a@example.com>', 'a@example.com,b@example.com', 7],
    ],
    platformUrl: [
      'must be an address that begins with https://',
      ...[
        '',
        'app.example.com',
        'http://app.example.com',
        'https://app.example.com/#a',
        'https://',
      ],
      ...['https://app.example.com/a b', 'https://app.example.com:99999', true],
    ],
    producers: [
      'must be AWS accounts or ARNs of roles or users',
      ...['*', '', '4444', `${ROLE}/*`, `${ACCOUNT},*`, `${ACCOUNT},`, 'arn:aws:iam::*:role/a'],
      ...['arn:aws:sts::444455556666:assumed-role/a/b', 'example.com', [ACCOUNT]],
    ],
    provisioned: ['must be a whole number of events a second', '0', '-4', '1e3', '', 'on-demand'],
    qualifier: ['must be 1 to 10 of a-z and 0-9', '', 'Acme', 'a-b', 'abcdefghijk', '_'],
    release: ['must be gradual or at-once.', 'slow'],
    tags: [
      'must be <key>=<value>, separated by commas',
      ...['team', '=a', 'aws:team=a', 'AWS', 'a=b,', 'a=b,,c=d', 'a=<b>', `${'k'.repeat(129)}=v`],
    ],
  };

  it.each(Object.entries(BAD))('is refused by its name: %s', (name, [fault, ...values]) => {
    for (const value of values)
      expect(() => optionsOf('prod', { [name]: value }), String(value)).toThrow(`${name} ${fault}`);
  });

  it.each<[StageName, GivenOptions, string]>([
    ['prod', { webAcl: 'false' }, 'Stage "prod" has a web ACL'],
    ['prod', { alarms: 'false' }, 'Stage "prod" has alarms'],
    ['dev', { alarms: 'false', dashboard: 'true' }, 'A dashboard draws the alarms'],
    ['local', { release: 'gradual' }, 'has no versions to release'],
    ['dev', { release: 'gradual' }, 'has no versions to release'],
    ['dev', { hourSeconds: 10 }, 'cannot be shortened'],
    ['prod', { hourSeconds: 10 }, 'cannot be shortened'],
    ['dev', { consoleOrigin: 'https://a.example.com' }, 'has a web console of its own'],
    ['prod', { consoleOrigin: 'https://a.example.com' }, 'has a web console of its own'],
    ...SIGN_IN.flatMap((name): [StageName, GivenOptions, string][] => [
      ['local', { [name]: 'a' }, 'A sign-in needs signInIssuer, signInClientId and signInJwksUri.'],
      ['prod', { [name]: 'a' }, 'at its user pool'],
    ]),
    ['dev', { concurrency: 100 }, 'takes the fewest executions'],
    ['prod', { tags: 'service=other' }, 'tags service and stage are those of the stage'],
    ['dev', { tags: 'team=a, stage=b' }, 'tags service and stage are those of the stage'],
    ['dev', { consoleLinkRoles: ROLE, console: 'false' }, 'has no consoleLinkRoles'],
    ['local', { consoleLinkRoles: ROLE }, 'needs consoleOrigin'],
    ['dev', { platformUrl: 'https://app.example.com' }, 'needs consoleLinkRoles'],
  ])('is refused in %s: %o', (stage, options, fault) => {
    expect(() => optionsOf(stage, options)).toThrow(fault);
  });
});

describe('concurrency', () => {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

  /** Of the mappings, and reserved by the functions. */
  const concurrencyOf = (stage: SynthesisedStage) => ({
    sources: stage
      .all('AWS::Lambda::EventSourceMapping')
      .flatMap(({ properties: { ScalingConfig } }) =>
        ScalingConfig ? Number((ScalingConfig as Properties).MaximumConcurrency) : [],
      ),
    reserved: stage
      .all('AWS::Lambda::Function')
      .flatMap(({ properties }) => properties.ReservedConcurrentExecutions ?? []),
  });

  it('is that of each event source, and reserved where AWS allows it', () => {
    const half = concurrencyOf(synthesise('prod', { concurrency: '500' }));

    expect(half.sources.toSorted()).toEqual([10, 200, 25, 45, 50]);
    expect(half.reserved.toSorted()).toEqual([10, 200, 25, 45, 50]);
    expect(concurrencyOf(synthesise('prod', { concurrency: '200' }))).toEqual({
      sources: [10, 80, 20, 4, 18],
      reserved: [],
    });
  });

  it('takes no more than there is, of which 100 are not reserved', () => {
    for (let concurrency = 10; concurrency <= 4_000; concurrency += 1) {
      const { maximumConcurrency, reservesConcurrency } =
        settingsFor('prod', { concurrency }) ?? {};
      const sources = Object.values(maximumConcurrency ?? {});
      const free = reservesConcurrency ? 100 : 0;

      expect(sum(sources), `${concurrency}`).toBeLessThanOrEqual(concurrency - free);
      expect(Math.min(...sources), `${concurrency}`).toBeGreaterThanOrEqual(2);
      expect(Math.max(...sources), `${concurrency}`).toBeLessThanOrEqual(1_000);
    }
  });

  it('of the default limit changes nothing', () => {
    expect(settingsFor('prod', { concurrency: 1_000 })).toEqual(settingsFor('prod'));
  });
});

describe('producers', () => {
  const allowedIn = (stage: SynthesisedStage) =>
    stage.all('AWS::SQS::QueuePolicy').flatMap(({ path, properties }) => {
      const { Statement } = properties.PolicyDocument as { Statement: Properties[] };
      const allowed = Statement.filter(({ Effect }) => Effect === 'Allow');
      return allowed.map(({ Action, Principal }) => ({ path, Action, Principal }));
    });

  it('may send to the events queue, and to no other', () => {
    const root = ['', ['arn:', { Ref: 'AWS::Partition' }, `:iam::${ACCOUNT}:root`]];

    expect(allowedIn(synthesise('prod', { producers: `${ACCOUNT}, ${ROLE}` }))).toEqual([
      {
        path: 'Events/Queue/Policy',
        Action: 'sqs:SendMessage',
        Principal: { AWS: [ROLE, { 'Fn::Join': root }] },
      },
    ]);
  });

  it('need the permission that the page about events has', () => {
    const page = readFileSync('docs/operators/events.md', 'utf8');
    const [, statement = ''] = fencedBlocks(page, 'json');
    const { Action, Resource } = JSON.parse(statement);
    const [{ logicalId } = { logicalId: '' }] = plain
      .all('AWS::SQS::Queue')
      .filter(({ path }) => path === 'Events/Queue');

    expect(Action).toBe('sqs:SendMessage');
    // CloudFormation names it by stack and logical id.
    expect(`integrations-prod-service-${logicalId}`).toContain(
      Resource.split(':').at(-1).replace('…', ''),
    );
  });

  it('are none of another account by default', () => {
    expect(allowedIn(plain)).toEqual([]);
  });
});

describe('sendTraceparent', () => {
  it('is for all functions that send webhooks, and off by default', () => {
    const sending = (stage: SynthesisedStage) => stage.variable('SEND_TRACEPARENT');
    const names = Object.keys(plain.variable('RESPONSE_TIMEOUT_MS'));
    const all = (value: string) => Object.fromEntries(names.map((name) => [name, value]));

    expect(sending(synthesise('prod', { sendTraceparent: 'true' }))).toEqual(all('true'));
    expect(sending(plain)).toEqual(all('false'));
  });
});

describe('provisioned', () => {
  const provisioned = synthesise('prod', { provisioned: '40' });

  it('pays by the hour for the two busy tables alone', () => {
    const billingOf = (stage: SynthesisedStage) =>
      stage.all('AWS::DynamoDB::Table').map(({ path, properties }) => {
        const units = properties.ProvisionedThroughput as Properties | undefined;
        const { ReadCapacityUnits: reads, WriteCapacityUnits: writes } = units ?? {};
        return [path, properties.BillingMode ?? { reads, writes }];
      });
    const byUse = billingOf(plain).map(([path]) => [path, 'PAY_PER_REQUEST']);

    expect(billingOf(plain)).toEqual(byUse);
    expect(Object.fromEntries(billingOf(provisioned))).toEqual({
      ...Object.fromEntries(byUse),
      // 40 events a second, each of one write and of two reads, at 70 %.
      DeliveryLog: { reads: 50, writes: 58 },
      Integrations: { reads: 115, writes: 10 },
    });
  });

  it('adds capacity above what is given', () => {
    const rangesOf = (stage: SynthesisedStage) =>
      stage
        .all('AWS::ApplicationAutoScaling::ScalableTarget')
        .map(({ properties: { MinCapacity, MaxCapacity } }) => [MinCapacity, MaxCapacity]);

    expect(rangesOf(plain)).toEqual([]);
    expect(rangesOf(provisioned)).toEqual([115, 10, 50, 58].map((least) => [least, 40_000]));
  });

  it('counts the units of an event that are measured', () => {
    const block = blockIn(readFileSync('docs/operators/costs.md', 'utf8'), 'bench:cost calls');
    const [[, , writes, reads] = []] = rowsBeginningWith(block, '**Total** (calls: of functions)');
    const sum = (unit: 'reads' | 'writes') =>
      Object.values(BUSY_TABLES).reduce((total, table) => total + table[unit].anEvent, 0);

    expect([sum('writes'), sum('reads')].map(String)).toEqual([writes, reads]);
  });
});

describe('tags', () => {
  const tagsOf = (stage: SynthesisedStage) => stage.stacks.map(({ tags }) => tags.tagValues());
  const own = { service: 'integrations', stage: 'prod' };

  it('are added to those of the stage, which stay', () => {
    const { tags } = deploymentIn('prod', optionsOf('prod', { tags: 'team=messaging' }));

    expect(tagsOf(new SynthesisedStage('prod', { tags }))).toEqual([
      { team: 'messaging', ...own },
      { team: 'messaging', ...own },
    ]);
    expect(tagsOf(plain)).toEqual([own, own]);
  });

  it('are read from one text', () => {
    const given = optionsOf('dev', { tags: 'team=messaging, cost center=a=b,empty=' });

    expect(deploymentIn('dev', given).tags).toEqual({
      team: 'messaging',
      'cost center': 'a=b',
      empty: '',
    });
  });
});

describe('qualifier', () => {
  const qualifiersOf = ({ stacks }: SynthesisedStage) =>
    stacks.map(
      ({ synthesizer }) => (synthesizer as { bootstrapQualifier?: string }).bootstrapQualifier,
    );

  it('names the bootstrap that deploys the stacks', () => {
    expect(qualifiersOf(synthesise('prod', { qualifier: 'acme' }))).toEqual(['acme', 'acme']);
    expect(qualifiersOf(plain)).toEqual(['hnb659fds', 'hnb659fds']);
  });

  it('is that of the roles which the pipeline may assume', () => {
    const options = { stage: 'prod', repository: 'acme/integrations' };
    const rolesFor = (more: object) =>
      JSON.stringify(synthesisePipeline({ ...options, ...more })).match(/role\/cdk-\w+/g);

    expect(new Set(rolesFor({ qualifier: 'acme' }))).toEqual(new Set(['role/cdk-acme']));
    expect(new Set(rolesFor({}))).toEqual(new Set(['role/cdk-hnb659fds']));
    expect(() => rolesFor({ qualifier: 'a-b' })).toThrow('qualifier must be 1 to 10');
  });
});

describe('A permissions boundary', () => {
  it('is on every role, also on those that the CDK adds', () => {
    const page = readFileSync('docs/operators/deploy.md', 'utf8');
    const [context = '{}'] = fencedBlocks(page, 'json').filter((block) => /Boundary/.test(block));
    const bounded = new SynthesisedStage('prod', { context: JSON.parse(context) });
    const rolesOf = (stage: SynthesisedStage) => [
      ...stage.all('AWS::IAM::Role'),
      ...stage.addedByTheCdk('AWS::IAM::Role'),
    ];
    const boundaries = rolesOf(bounded).map(({ properties }) =>
      JSON.stringify(properties.PermissionsBoundary),
    );

    expect(bounded.addedByTheCdk('AWS::IAM::Role').length).toBeGreaterThan(0);
    expect(boundaries.filter((arn) => !arn?.includes(':policy/developers'))).toEqual([]);
    expect(rolesOf(plain).filter(({ properties }) => properties.PermissionsBoundary)).toEqual([]);
  });
});
