import {
  deletesSchedules,
  keepsSchedules,
  onItems,
  opensSecrets,
  repeatsSecrets,
  retriesPending,
  sealsSecrets,
  sends,
  writesLog,
} from './grants.ts';

/** What each function of the API may do. */
export const apiGrants = (stage: string) => ({
  'AuthorizeRequest/Role': {
    'AuthorizeRequest/Log': writesLog,
    Directory: [
      ...onItems(['TOKEN', 'IDENTITY', 'USER'], 'dynamodb:GetItem'),
      ...onItems(['TOKEN'], 'dynamodb:UpdateItem'),
    ],
  },
  'CreateAccessToken/Role': {
    'CreateAccessToken/Log': writesLog,
    Directory: [
      ...onItems(['ACCOUNT', 'USER'], 'dynamodb:GetItem'),
      ...onItems(['ACCOUNT', 'TOKEN'], 'dynamodb:PutItem', 'dynamodb:UpdateItem'),
    ],
  },
  'CreateIntegration/Role': {
    'CreateIntegration/Log': writesLog,
    ...sealsSecrets(stage),
    Directory: onItems(['ACCOUNT'], 'dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:PutItem'),
    SecretsKey: [...repeatsSecrets(stage), ...sealsSecrets(stage).SecretsKey],
    Integrations: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'],
  },
  'DeleteIntegration/Role': {
    ...keepsSchedules(stage),
    'DeleteIntegration/Log': writesLog,
    Directory: onItems(['ACCOUNT'], 'dynamodb:DeleteItem', 'dynamodb:UpdateItem'),
    Integrations: ['dynamodb:DeleteItem', 'dynamodb:GetItem'],
    'Replays/Queue': sends,
  },
  'GetAccount/Role': {
    'GetAccount/Log': writesLog,
    Directory: onItems(['ACCOUNT'], 'dynamodb:GetItem'),
  },
  'GetContext/Role': {
    'GetContext/Log': writesLog,
  },
  'GetDelivery/Role': {
    'GetDelivery/Log': writesLog,
    DeliveryLog: ['dynamodb:GetItem', 'dynamodb:Query'],
    Integrations: ['dynamodb:GetItem'],
    PendingEvents: ['dynamodb:GetItem'],
  },
  'GetDocs/Role': {
    'GetDocs/Log': writesLog,
  },
  'GetHome/Role': {
    'GetHome/Log': writesLog,
  },
  'GetIntegration/Role': {
    'GetIntegration/Log': writesLog,
    Integrations: ['dynamodb:GetItem'],
  },
  'GetMe/Role': {
    'GetMe/Log': writesLog,
    Directory: onItems(['ACCOUNT', 'USER'], 'dynamodb:GetItem'),
  },
  'GetOpenapi/Role': {
    'GetOpenapi/Log': writesLog,
  },
  'GetSignature/Role': {
    'GetSignature/Log': writesLog,
    Directory: onItems(['USER'], 'dynamodb:Query'),
  },
  'GetStatistics/Role': {
    'GetStatistics/Log': writesLog,
    Integrations: ['dynamodb:GetItem'],
    PendingEvents: ['dynamodb:Query'],
    Statistics: ['dynamodb:Query'],
  },
  'ListAccessTokens/Role': {
    'ListAccessTokens/Log': writesLog,
    Directory: [
      ...onItems(['TOKEN'], 'dynamodb:BatchGetItem', 'dynamodb:GetItem'),
      ...onItems(['ACCOUNT'], 'dynamodb:Query'),
    ],
  },
  'ListAccounts/Role': {
    'ListAccounts/Log': writesLog,
    Directory: onItems(['ACCOUNT'], 'dynamodb:GetItem', 'dynamodb:Query'),
  },
  'ListDeliveries/Role': {
    'ListDeliveries/Log': writesLog,
    DeliveryLog: ['dynamodb:Query'],
    Integrations: ['dynamodb:GetItem'],
  },
  'ListEventTypes/Role': {
    'ListEventTypes/Log': writesLog,
  },
  'ListIntegrations/Role': {
    'ListIntegrations/Log': writesLog,
    Integrations: ['dynamodb:Query'],
  },
  'ListPendingEvents/Role': {
    'ListPendingEvents/Log': writesLog,
    Integrations: ['dynamodb:GetItem'],
    PendingEvents: ['dynamodb:Query'],
  },
  'ListUsers/Role': {
    'ListUsers/Log': writesLog,
    Directory: onItems(['ACCOUNT'], 'dynamodb:GetItem', 'dynamodb:Query'),
  },
  'PatchIntegration/Role': {
    ...keepsSchedules(stage),
    ...sealsSecrets(stage),
    'PatchIntegration/Log': writesLog,
    Integrations: ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
    'Replays/Queue': sends,
  },
  'RequestRecovery/Role': {
    ...deletesSchedules(stage),
    'RequestRecovery/Log': writesLog,
    Integrations: ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
    'Replays/Queue': sends,
  },
  'ReplaceIntegration/Role': {
    ...keepsSchedules(stage),
    ...sealsSecrets(stage),
    'ReplaceIntegration/Log': writesLog,
    Integrations: ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
    'Replays/Queue': sends,
  },
  'ResendDelivery/Role': {
    'ResendDelivery/Log': writesLog,
    'Deliveries/Queue': sends,
    DeliveryLog: ['dynamodb:GetItem', 'dynamodb:Query'],
    Integrations: ['dynamodb:GetItem'],
  },
  'RetryNow/Role': {
    ...retriesPending(stage),
    'RetryNow/Log': writesLog,
  },
  'RevokeAccessToken/Role': {
    'RevokeAccessToken/Log': writesLog,
    Directory: [
      ...onItems(['ACCOUNT'], 'dynamodb:GetItem'),
      ...onItems(['ACCOUNT', 'TOKEN'], 'dynamodb:UpdateItem'),
    ],
  },
  'RotateSecret/Role': {
    ...keepsSchedules(stage),
    ...sealsSecrets(stage),
    'RotateSecret/Log': writesLog,
    Integrations: ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
    'Replays/Queue': sends,
  },
  'TestIntegration/Role': {
    ...opensSecrets(stage),
    'TestIntegration/Log': writesLog,
    DeliveryLog: ['dynamodb:BatchWriteItem', 'dynamodb:PutItem'],
    Integrations: ['dynamodb:GetItem'],
  },
});
