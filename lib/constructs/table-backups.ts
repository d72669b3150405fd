import { Aws, Duration, Fn, Stack, Validations } from 'aws-cdk-lib';
import {
  BackupPlan,
  BackupPlanRule,
  BackupResource,
  BackupSelection,
  BackupVault,
} from 'aws-cdk-lib/aws-backup';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { StageSettings } from '../stage-settings.ts';

/** As long as point-in-time recovery. */
const BACKUP_DAYS = 35;

/**
 * A daily backup of tables by AWS Backup, in a vault, and in another region if there is a vault. The
 * vault's key is AWS's own: these backups outlive the key of the tables.
 */
export class TableBackups extends Construct {
  readonly vaultName: string;
  readonly role: Role;
  readonly #plan: BackupPlan;

  constructor(scope: Construct, id: string, settings: StageSettings) {
    super(scope, id);
    const vault = new BackupVault(this, 'Vault', {
      // A vault with backups stays when its stack is deleted, and the next one has another name.
      backupVaultName: `integrations-${Fn.select(2, Fn.split('/', Aws.STACK_ID))}`,
      removalPolicy: settings.removalPolicy,
    });
    const { backupCopyVaultArn } = settings;
    this.#plan = new BackupPlan(this, 'Plan', {
      backupPlanName: Stack.of(this).stackName,
      backupVault: vault,
      backupPlanRules: [
        new BackupPlanRule({
          ruleName: 'Daily',
          scheduleExpression: Schedule.cron({ hour: '3', minute: '0' }),
          deleteAfter: Duration.days(BACKUP_DAYS),
          ...(backupCopyVaultArn !== undefined && {
            copyActions: [
              {
                destinationBackupVault: BackupVault.fromBackupVaultArn(
                  this,
                  'CopyVault',
                  backupCopyVaultArn,
                ),
                deleteAfter: Duration.days(BACKUP_DAYS),
              },
            ],
          }),
        }),
      ],
    });
    this.vaultName = vault.backupVaultName;
    this.role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('backup.amazonaws.com') });
    for (const name of ['Backup', 'Restores']) {
      Validations.of(this.role).acknowledge({
        id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyFor${name}]`,
        reason: 'AWS keeps the actions that AWS Backup needs in this policy, and says to use it.',
      });
    }
  }

  /** The selection is a child of the stack: tables may depend on everything in this construct. */
  select(tables: readonly ITable[]): void {
    new BackupSelection(Stack.of(this), 'BackedUpTables', {
      backupPlan: this.#plan,
      role: this.role,
      allowRestores: true,
      resources: tables.map((table) => BackupResource.fromDynamoDbTable(table)),
    });
  }
}
