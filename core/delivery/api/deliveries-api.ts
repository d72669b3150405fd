import type { PortsOf } from '../../integration/integrations-api.ts';
import { buildGetIntegration, buildListIntegrations } from '../../integration/read-integration.ts';
import {
  buildGetDelivery,
  buildListDeliveries,
  buildListPendingEvents,
} from '../reading/read-deliveries.ts';
import { buildSearchDeliveries } from '../search/search-deliveries.ts';
import { buildGetStatistics } from '../statistics/get-statistics.ts';

type Ports = PortsOf<typeof buildGetIntegration> &
  PortsOf<typeof buildListIntegrations> &
  PortsOf<typeof buildGetDelivery> &
  PortsOf<typeof buildListDeliveries> &
  PortsOf<typeof buildListPendingEvents> &
  PortsOf<typeof buildSearchDeliveries> &
  PortsOf<typeof buildGetStatistics>;

/** Composes what callers of the API read of integrations and their deliveries. */
export const buildDeliveriesApi = (ports: Ports) => ({
  getIntegration: buildGetIntegration(ports),
  listIntegrations: buildListIntegrations(ports),
  getDelivery: buildGetDelivery(ports),
  listDeliveries: buildListDeliveries(ports),
  searchDeliveries: buildSearchDeliveries(ports),
  listPendingEvents: buildListPendingEvents(ports),
  getStatistics: buildGetStatistics(ports),
});
