import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { DynamoDbDeliveryLogReader } from '../adapters/dynamodb/dynamodb-delivery-log-reader.ts';
import { DynamoDbIntegrations } from '../adapters/dynamodb/dynamodb-integrations.ts';
import { DynamoDbPendingView } from '../adapters/dynamodb/dynamodb-pending-view.ts';
import type { DeliveryLogReader } from '../core/delivery/delivery-log-reader.ts';
import type { PendingView } from '../core/delivery/pending/pending-view.ts';
import {
  buildListObserved,
  buildObserveIntegration,
} from '../core/delivery/reading/observe-integrations.ts';
import { buildGetDelivery } from '../core/delivery/reading/read-deliveries.ts';
import type {
  AccountIntegrations,
  EveryIntegration,
  IntegrationStore,
} from '../core/integration/integration.ts';

interface OverviewPorts {
  integrations: IntegrationStore & AccountIntegrations & EveryIntegration;
  pending: PendingView;
  log: DeliveryLogReader;
}

/** Every use case by which operators see customers' integrations and deliveries. */
export const buildOverview = (ports: OverviewPorts) => ({
  listIntegrations: buildListObserved(ports),
  showIntegration: buildObserveIntegration(ports),
  getDelivery: buildGetDelivery(ports),
});

export type Overview = ReturnType<typeof buildOverview>;

interface TableNames {
  readonly integrations: string;
  readonly pendingEvents: string;
  readonly deliveryLog: string;
}

export const overviewPorts = (client: DynamoDBClient, names: TableNames): OverviewPorts => {
  const documents = DynamoDBDocumentClient.from(client);
  return {
    integrations: new DynamoDbIntegrations(documents, names.integrations),
    pending: new DynamoDbPendingView(documents, names.pendingEvents),
    log: new DynamoDbDeliveryLogReader(documents, names.deliveryLog, { now: () => new Date() }),
  };
};
