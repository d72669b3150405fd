import { Aws, type Stack, Validations } from 'aws-cdk-lib';
import { AnyPrincipal, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import type { StageSettings } from '../stage-settings.ts';

/**
 * The policy of AWS's own key aws/dynamodb: roles that may use the tables may use the key, but only
 * through DynamoDB, and need no actions of KMS.
 */
export const createTableKey = (stack: Stack, settings: StageSettings): Key => {
  const key = new Key(stack, 'Key', {
    description: `Encrypts the tables of ${stack.stackName}`,
    enableKeyRotation: settings.tableKeyRotation,
    removalPolicy: settings.removalPolicy,
  });
  if (!settings.tableKeyRotation) {
    Validations.of(key).acknowledge({
      id: 'AwsSolutions-KMS5',
      reason: 'The stage is for trials: two rotations would cost twice as much as the key.',
    });
  }
  key.addToResourcePolicy(
    new PolicyStatement({
      sid: 'AllowUseThroughDynamoDb',
      // With the account's root as principal, each role would need kms actions of its own.
      principals: [new AnyPrincipal()],
      actions: [
        'kms:Encrypt',
        'kms:Decrypt',
        'kms:ReEncrypt*',
        'kms:GenerateDataKey*',
        'kms:CreateGrant',
        'kms:DescribeKey',
      ],
      resources: ['*'],
      conditions: {
        StringEquals: {
          'kms:CallerAccount': Aws.ACCOUNT_ID,
          'kms:ViaService': `dynamodb.${Aws.REGION}.amazonaws.com`,
        },
      },
    }),
  );
  key.addToResourcePolicy(
    new PolicyStatement({
      sid: 'AllowDynamoDbToDescribeTheKey',
      principals: [new ServicePrincipal('dynamodb.amazonaws.com')],
      actions: ['kms:Describe*', 'kms:Get*', 'kms:List*'],
      resources: ['*'],
    }),
  );
  return key;
};

/**
 * Encrypts the private keys that open secrets. Its policy alone permits no use. It is a multi-Region
 * key from the start, because a key cannot become one: with a replica, a stage in another region
 * opens the same secrets.
 */
export const createSecretsKey = (stack: Stack, settings: StageSettings): IKey =>
  settings.secretsKeyArn === undefined
    ? new Key(stack, 'SecretsKey', {
        description: `Encrypts the private keys that open secrets of ${stack.stackName}`,
        multiRegion: true,
        enableKeyRotation: true,
        removalPolicy: settings.removalPolicy,
      })
    : Key.fromKeyArn(stack, 'SecretsKey', settings.secretsKeyArn);
