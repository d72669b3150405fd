import type { CallBudget } from '../../../core/directory/call-budget.ts';
import { callsKey, type DirectoryItems } from './directory-items.ts';

const MINUTE_MS = 60_000;

/** An item counts the calls of an account in a minute of the clock. A refused call costs a write, too. */
export const dynamoDbCallBudget = (
  items: DirectoryItems,
  { now, callsPerMinute }: { now: () => Date; callsPerMinute: number },
): CallBudget => ({
  spend: async (account) => {
    const minute = Math.floor(now().getTime() / MINUTE_MS);
    const counted = await items.updateItem({
      Key: callsKey(account, minute),
      UpdateExpression: 'ADD calls :one SET expiresAt = :expiresAt',
      ConditionExpression: 'attribute_not_exists(calls) OR calls < :limit',
      ExpressionAttributeValues: {
        ':one': 1,
        ':limit': callsPerMinute,
        ':expiresAt': ((minute + 1) * MINUTE_MS) / 1_000,
      },
    });
    return counted !== undefined;
  },
});
