import { Aws, CfnOutput, CfnRule, Fn, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import {
  AttributeType,
  type ITable,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import type { Construct, IConstruct } from 'constructs';
import { ConsoleUsers } from './constructs/console-users.ts';
import { createSecretsKey, createTableKey } from './constructs/stage-keys.ts';
import { TableBackups } from './constructs/table-backups.ts';
import { type Busyness, capacityProps, scaleCapacity } from './constructs/table-capacity.ts';
import type { OwnDomain } from './deployment-options.ts';
import type { StageSettings } from './stage-settings.ts';

interface TableDesign {
  readonly partition: string;
  readonly sort: string;
  /** Attribute with a time in seconds since 1970; DynamoDB deletes the item some time after it. */
  readonly expiry?: string;
  /** Whether a stream has each change of an item, with the item before and after. */
  readonly isStreamed?: boolean;
  /** Of the tables whose capacity the option `provisioned` pays by the hour. */
  readonly busyness?: Busyness;
  /** Why the table cannot be restored to an earlier second. Absent: it can. */
  readonly unrestorable?: string;
}

/** The units of an event are those that docs/operators/costs.md#calls-and-units-of-an-event has. */
export const BUSY_TABLES = {
  // A failing endpoint causes some writes a second, and a page of the API reads some KB.
  Integrations: { reads: { anEvent: 2, least: 25 }, writes: { anEvent: 0, least: 10 } },
  DeliveryLog: { reads: { anEvent: 0, least: 50 }, writes: { anEvent: 1, least: 10 } },
} as const satisfies Record<string, Busyness>;

interface StateStackProps extends StackProps {
  readonly settings: StageSettings;
  readonly hasUserPool: boolean;
  readonly consoleDomain?: OwnDomain | undefined;
}

/**
 * The tables with their encryption key, the key of the secrets in them, and the users of the web
 * console: they must survive the loss of everything else.
 */
export class StateStack extends Stack {
  readonly directory: ITable;
  readonly integrations: ITable;
  readonly pendingEvents: ITable;
  readonly deliveryLog: ITable;
  readonly consoleUsers?: ConsoleUsers;
  readonly statistics: ITable;
  /** Where the log has the deliveries of a message, contact or call. */
  readonly deliveryIndex: ITable;
  /** The changes of integrations, for their customers. */
  readonly changes: ITable;
  /** Without these items the secrets of integrations cannot be opened. */
  readonly keyPairs: ITable;
  /** Encrypts the private keys of the key pairs. */
  readonly secretsKey: IKey;
  readonly #settings: StageSettings;
  readonly #key: Key;
  readonly #tables: Table[] = [];

  constructor(scope: Construct, id: string, props: StateStackProps) {
    super(scope, id, { ...props, terminationProtection: props.settings.deletionProtection });
    this.#settings = props.settings;
    this.#checkRegions(props.settings);
    this.#key = createTableKey(this, props.settings);
    this.secretsKey = createSecretsKey(this, props.settings);
    new CfnOutput(this, 'SecretsKeyArn', { value: this.secretsKey.keyArn });
    this.directory = this.#createTable('Directory', {
      partition: 'pk',
      sort: 'sk',
      expiry: 'expiresAt',
    });
    this.integrations = this.#createTable('Integrations', {
      partition: 'account',
      sort: 'id',
      isStreamed: true,
      busyness: BUSY_TABLES.Integrations,
    });
    // Pending events never expire. The slots of an integration do, when they are free.
    this.pendingEvents = this.#createTable('PendingEvents', {
      partition: 'partition',
      sort: 'entry',
      expiry: 'expiresAt',
    });
    this.deliveryLog = this.#createTable('DeliveryLog', {
      partition: 'partition',
      sort: 'entry',
      expiry: 'expiresAt',
      isStreamed: true,
      busyness: BUSY_TABLES.DeliveryLog,
      unrestorable:
        'Deliveries go on without the log, whose items expire; recovery would be billed for every GB of it.',
    });
    if (props.hasUserPool) {
      this.consoleUsers = new ConsoleUsers(this, 'ConsoleUsers', {
        settings: props.settings,
        domain: props.consoleDomain,
      });
    }
    this.statistics = this.#createTable('Statistics', {
      partition: 'integration',
      sort: 'hour',
      expiry: 'expiresAt',
      unrestorable: 'Nothing depends on the counts, which expire after 31 days.',
    });
    this.deliveryIndex = this.#createTable('DeliveryIndex', {
      partition: 'partition',
      sort: 'entry',
      expiry: 'expiresAt',
      unrestorable: 'It helps to search the log, which cannot be restored either.',
    });
    this.changes = this.#createTable('Changes', {
      partition: 'account',
      sort: 'entry',
      expiry: 'expiresAt',
    });
    this.keyPairs = this.#createTable('KeyPairs', { partition: 'purpose', sort: 'id' });
    const backups = props.settings.backups ? this.#createBackups() : undefined;
    this.#keepExports();
    this.#makeTablesLast();
    backups?.select([
      this.directory,
      this.integrations,
      this.pendingEvents,
      this.changes,
      this.keyPairs,
    ]);
  }

  get tables(): readonly ITable[] {
    return this.#tables;
  }

  #checkRegions({ backupCopyVaultArn: vault, secretsKeyArn: key }: StageSettings): void {
    if (vault) this.#requireRegion('backupCopyVaultArn', vault, 'another region');
    if (key) this.#requireRegion('secretsKeyArn', key, 'this region');
  }

  /** CloudFormation knows the region of a deployment, which the CDK need not know. */
  #requireRegion(option: string, arn: string, where: 'this region' | 'another region'): void {
    const isHere = Fn.conditionEquals(Aws.REGION, arn.split(':')[3]);
    new CfnRule(this, `${option}Region`, {
      assertions: [
        {
          assert: where === 'this region' ? isHere : Fn.conditionNot(isHere),
          assertDescription: `${option} must be of ${where}.`,
        },
      ],
    });
  }

  #createBackups(): TableBackups {
    const backups = new TableBackups(this, 'Backups', this.#settings);
    new CfnOutput(this, 'BackupVaultName', { value: backups.vaultName });
    new CfnOutput(this, 'BackupRoleArn', { value: backups.role.roleArn });
    return backups;
  }

  /**
   * Exports all that a service stack can import, whether this version imports it or not. CloudFormation
   * removes no export that a stack imports: if this stack exported only what its own version imports, it
   * could not be deployed before the service stack of that version.
   */
  #keepExports(): void {
    const { consoleUsers, secretsKey } = this;
    for (const { tableName, tableArn, tableStreamArn } of this.#tables) {
      for (const value of [tableName, tableArn, tableStreamArn]) if (value) this.exportValue(value);
    }
    this.exportValue(this.#key.keyArn);
    if (secretsKey instanceof Key) this.exportValue(secretsKey.keyArn);
    for (const value of consoleUsers?.exported ?? []) this.exportValue(value);
  }

  /**
   * CloudFormation cannot roll back the creation of a table with deletion protection. So it creates
   * the tables after everything else of this stack.
   */
  #makeTablesLast(): void {
    const tables: readonly IConstruct[] = this.#tables;
    const others = this.node.children.filter((construct) => !tables.includes(construct));
    for (const table of tables) table.node.addDependency(...others);
  }

  #createTable(name: string, design: TableDesign): Table {
    const table = new Table(this, name, {
      partitionKey: { name: design.partition, type: AttributeType.STRING },
      sortKey: { name: design.sort, type: AttributeType.STRING },
      ...(design.expiry ? { timeToLiveAttribute: design.expiry } : {}),
      ...(design.isStreamed && { stream: StreamViewType.NEW_AND_OLD_IMAGES }),
      ...capacityProps(design.busyness, this.#settings.provisioned),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: !design.unrestorable },
      encryption: TableEncryption.CUSTOMER_MANAGED,
      encryptionKey: this.#key,
      deletionProtection: this.#settings.deletionProtection,
      removalPolicy: this.#settings.removalPolicy,
    });
    if (design.unrestorable) {
      Validations.of(table).acknowledge({ id: 'AwsSolutions-DDB3', reason: design.unrestorable });
    }
    new CfnOutput(this, `${name}TableName`, { value: table.tableName });
    const { provisioned } = this.#settings;
    if (design.busyness && provisioned) scaleCapacity(table, design.busyness, provisioned);
    this.#tables.push(table);
    return table;
  }
}
