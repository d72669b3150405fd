import type { ConsoleLink, ConsoleLinks } from '../../../core/directory/console-link.ts';
import { consoleLinkKey, type DirectoryItems } from './directory-items.ts';

/** Of two calls that take a link, DynamoDB's condition lets one have it. */
export const dynamoDbConsoleLinks = (items: DirectoryItems): ConsoleLinks => ({
  add: async ({ hash, ...link }) => {
    // When DynamoDB may delete it.
    const expiresAt = Math.ceil(Date.parse(link.validUntil) / 1_000);
    await items.putItem({ Item: { ...consoleLinkKey(hash), ...link, expiresAt } });
  },
  take: async (hash, now) => {
    const taken = await items.deleteItem({
      Key: consoleLinkKey(hash),
      ConditionExpression: 'validUntil > :now',
      ExpressionAttributeValues: { ':now': now.toISOString() },
      ReturnValues: 'ALL_OLD',
    });
    if (taken?.Attributes === undefined) return undefined;
    const { account, user, isOfUser, role, validUntil, sessionEndsAt } =
      taken.Attributes as ConsoleLink;
    return { hash, account, user, ...(isOfUser && { isOfUser }), role, validUntil, sessionEndsAt };
  },
});
