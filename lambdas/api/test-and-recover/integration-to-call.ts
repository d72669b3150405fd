import type { CallBudget } from '../../../core/directory/call-budget.ts';
import { Refusal } from '../../../core/refusal.ts';
import { type ApiRequest, integrationIn } from '../runtime/api-endpoint.ts';

/**
 * The integration in the path of a costly call, which counts against the budget of its account.
 * Throws `throttled`, and `not-found` for a text that cannot be an id.
 */
export const integrationToCall = async (
  request: Pick<ApiRequest, 'parameter' | 'principal'>,
  budget: CallBudget,
): Promise<{ account: string; id: string }> => {
  const integration = integrationIn(request);
  if (await budget.spend(integration.account)) return integration;
  throw new Refusal(
    'throttled',
    'The account has made all the tests, retries, resends and recoveries that it may make in a minute. Try again in a minute.',
  );
};
