import { describe, expect, it } from 'vitest';
import { roleGrants } from './role-grants.ts';
import { SynthesisedStage, synthesise, synthesiseWithMail } from './template.ts';

const stage = synthesiseWithMail('prod');

describe('a stage with an address that e-mails come from', () => {
  it('lets SES stop sending to addresses that bounce or complain', () => {
    expect(stage.all('AWS::SES::ConfigurationSet').map(({ properties }) => properties)).toEqual([
      { SuppressionOptions: { SuppressedReasons: ['BOUNCE', 'COMPLAINT'] } },
    ]);
  });

  it('lets one function send mails, from that address and by that set', () => {
    const senders = Object.entries(roleGrants(stage)).flatMap(([role, resources]) =>
      Object.entries(resources).flatMap(([resource, actions]) =>
        actions.some((action) => action.startsWith('ses:')) ? [[role, resource, actions]] : [],
      ),
    );
    const arn = 'arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>';

    expect(senders.toSorted()).toEqual([
      ['SendNotices/Role', `${arn}:configuration-set/Mail`, ['ses:SendEmail']],
      [
        'SendNotices/Role',
        `${arn}:identity/*`,
        ['ses:SendEmail if {"StringEquals":{"ses:FromAddress":"webhooks@example.com"}}'],
      ],
    ]);
  });

  it('counts by reads alone, and only where it writes the e-mails', () => {
    const { 'SendNotices/Role': sender = {}, 'AnnounceChanges/Role': announcer = {} } =
      roleGrants(stage);

    expect(sender.PendingEvents).toEqual(['dynamodb:Query']);
    expect(sender).not.toHaveProperty('DeliveryLog');
    expect(announcer).not.toHaveProperty('PendingEvents');
    expect(stage.variable('PENDING_EVENTS_TABLE')).not.toHaveProperty('AnnounceChanges');
  });

  it('tells the API that it sends e-mails, and e-mails where the console is', () => {
    expect(stage.variable('MAIL_ENABLED')).toEqual({ ReadApi: 'true', ChangeApi: 'true' });
    expect(stage.variablesOf('SendNotices')).toMatchObject({ MAIL_FROM: 'webhooks@example.com' });
    expect(stage.variablesOf('SendNotices').CONSOLE_URL).toEqual(
      stage.variablesOf('ServeReference').CONSOLE_URL,
    );
  });

  it('does not take a wait of an hour for a delay', () => {
    expect(stage.at('Monitoring/notices-late').Threshold).toBe(5 * 360 + 3_600);
    expect(stage.at('Monitoring/replays-late').Threshold).toBe(5 * 360);
  });

  it('releases the function at once, also where releases are gradual', () => {
    const groups = stage.all('AWS::CodeDeploy::DeploymentGroup').map(({ path }) => path);

    expect(groups).toEqual(
      synthesise('prod')
        .all('AWS::CodeDeploy::DeploymentGroup')
        .map(({ path }) => path),
    );
  });
});

describe.each(['dev', 'prod'] as const)('a stage %s without such an address', (name) => {
  it('has no part of it, and says so to the API', () => {
    const without = synthesise(name);
    const parts = without.all().filter(({ path }) => /Notice|^Mail/.test(path));

    expect(parts).toEqual([]);
    expect(without.variable('MAIL_ENABLED')).toEqual({ ReadApi: 'false', ChangeApi: 'false' });
  });
});

it('the alarms of a stage without alarms include none on e-mails', () => {
  const overrides = { alarms: 'false', mailFrom: 'webhooks@example.com' };
  expect(new SynthesisedStage('dev', overrides).all('AWS::CloudWatch::Alarm')).toEqual([]);
});
