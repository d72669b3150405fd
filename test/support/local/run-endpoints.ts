import type { Endpoints } from '../../../local/endpoints-file.ts';

/** As an embedded run describes itself. */
export const RUN_ENDPOINTS: Endpoints = {
  api: 'http://127.0.0.1:4000',
  aws: 'http://127.0.0.1:4566',
  region: 'us-east-1',
  eventsQueueUrl: 'http://127.0.0.1:4566/000000000000/events',
  account: 'acme',
  user: 'u_ada',
  adminToken: 'mst_a',
  memberToken: 'mst_m',
  caFile: '/ca.pem',
  certFile: '/cert.pem',
  keyFile: '/key.pem',
};
