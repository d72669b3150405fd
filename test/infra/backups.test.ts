import { describe, expect, it } from 'vitest';
import { settingsFor } from '../../lib/stages.ts';
import { type Properties, SynthesisedStage, synthesise } from './template.ts';

const COPY = 'arn:aws:backup:eu-central-1:111122223333:backup-vault:copies';

const prod = synthesise('prod');
const copied = new SynthesisedStage('dev', { backups: 'true', backupCopyVaultArn: COPY });

const ruleOf = (stage: SynthesisedStage) => {
  const { BackupPlan } = stage.at('Backups/Plan') as Record<string, Properties>;
  const [rule] = (BackupPlan?.BackupPlanRule ?? []) as Properties[];
  return rule ?? {};
};

describe('the backups of prod', () => {
  it('are made every day, and kept as long as point-in-time recovery', () => {
    const { ScheduleExpression, Lifecycle, TargetBackupVault } = ruleOf(prod);

    expect(ScheduleExpression).toBe('cron(0 3 * * ? *)');
    expect(Lifecycle).toEqual({ DeleteAfterDays: 35 });
    expect(prod.pathOf(TargetBackupVault)).toBe('Backups/Vault');
  });

  it('are of the tables that have point-in-time recovery', () => {
    const { BackupSelection = {} } = prod.at('BackedUpTables') as Record<string, Properties>;
    const restorable = prod.all('AWS::DynamoDB::Table').filter(({ properties }) => {
      const recovery = properties.PointInTimeRecoverySpecification as Properties;
      return recovery.PointInTimeRecoveryEnabled;
    });

    expect(
      (BackupSelection.Resources as Properties[]).map((table) => prod.pathOf(table)).toSorted(),
    ).toEqual(restorable.map(({ path }) => path).toSorted());
    expect(prod.pathOf(BackupSelection.IamRoleArn)).toBe('Backups/Role');
  });

  it('are copied nowhere unless the deployment names a vault', () => {
    expect(ruleOf(prod)).not.toHaveProperty('CopyActions');
    expect(ruleOf(copied).CopyActions).toEqual([
      { DestinationBackupVaultArn: COPY, Lifecycle: { DeleteAfterDays: 35 } },
    ]);
  });

  it('cannot be copied to the region of the stage', () => {
    expect(copied.rules.backupCopyVaultArnRegion).toMatchObject({
      Assertions: [
        { Assert: { 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'AWS::Region' }, 'eu-central-1'] }] } },
      ],
    });
  });
});

describe('a stage without backups', () => {
  it.each(['local', 'dev'] as const)('is %s', (name) => {
    const types = synthesise(name)
      .all()
      .map(({ type }) => type);

    expect(types.filter((type) => type.startsWith('AWS::Backup::'))).toEqual([]);
  });
});

describe('A choice of backups', () => {
  it.each<['dev' | 'prod', object, string]>([
    ['prod', { backups: 'false' }, 'Stage "prod" has backups.'],
    ['dev', { backups: 'daily' }, 'backups must be true or false.'],
    ['dev', { backupCopyVaultArn: COPY }, 'backupCopyVaultArn needs backups=true.'],
    ['prod', { backupCopyVaultArn: 'copies' }, 'backupCopyVaultArn must be the ARN of a vault'],
  ])('is refused: %s %o', (stage, choices, problem) => {
    expect(() => settingsFor(stage, choices)).toThrow(problem);
  });
});
