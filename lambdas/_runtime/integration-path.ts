import { INTEGRATION_ID } from '../../core/integration/get-integration.ts';
import { Refusal } from '../../core/refusal.ts';
import type { ApiRequest } from './api-endpoint.ts';

/** The integration a request's path names. Throws `not-found` for what cannot be one's id. */
export const integrationIn = (
  request: Pick<ApiRequest, 'parameter' | 'principal'>,
): { account: string; id: string } => {
  const id = request.parameter('id');
  if (!INTEGRATION_ID.test(id)) throw new Refusal('not-found', 'There is no such integration.');
  return { account: request.principal.account, id };
};
